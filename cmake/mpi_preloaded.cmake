# Libraries that stand before the MPI calls of a program, one for each MPI that is here: their binary interfaces differ. Each is
# compiled by its MPI's own wrapper; find_package(MPI) finds one MPI only. What is missing is a skip.
include(mpi_wrappers)
set(ROOFTOP_MPI_PRELOADED "")
foreach(mpi IN ITEMS openmpi mpich)
  rooftop_find_mpi_wrapper(ROOFTOP_MPICC_${mpi} mpicc ${mpi})
  if(ROOFTOP_MPICC_${mpi})
    list(APPEND ROOFTOP_MPI_PRELOADED ${mpi})
  else()
    message(STATUS "MPI programs are not looked into with ${mpi}: its mpicc or its mpi.h is missing (lib${mpi}-dev)")
  endif()
endforeach()

# rooftop_add_mpi_preloaded(NAME SOURCES… HEADERS…): native/libNAME_MPI.so for each MPI, of files beside the caller.
function(rooftop_add_mpi_preloaded name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS")
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  list(TRANSFORM arg_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE headers)
  foreach(mpi IN ITEMS openmpi mpich)
    set(library ${CMAKE_BINARY_DIR}/native/lib${name}_${mpi}.so)
    if(NOT mpi IN_LIST ROOFTOP_MPI_PRELOADED)
      file(REMOVE ${library})
      continue()
    endif()
    add_custom_command(OUTPUT ${library}
      COMMAND ${ROOFTOP_MPICC_${mpi}} -std=gnu11 -O2 -Wall -Wextra -fPIC -fvisibility=hidden -shared -o ${library} ${sources} -ldl
      DEPENDS ${sources} ${headers} VERBATIM
      COMMENT "Building ${library}")
    add_custom_target(rooftop_${name}_${mpi} ALL DEPENDS ${library})
    add_dependencies(bench rooftop_${name}_${mpi})
  endforeach()
endfunction()
