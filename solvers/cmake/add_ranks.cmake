# What of a solver is for the ranks of an MPI job. In the whole tree it is for the MPI that drivers are linked with, ROOFTOP_MPI.
include(${CMAKE_CURRENT_LIST_DIR}/install_solver.cmake)

# rooftop_add_ranks(NAME [PROGRAM PROGRAM] [LIBRARIES LIBRARY…]), after rooftop_add_solver(NAME …): mpi/include and mpi/src are
# rooftop::NAME_mpi, and mpi/program is what `rooftop solve --ranks` starts. mpi/tests is added where tests are wanted. LIBRARIES
# are what mpi/src needs besides. A library that has mpi/include is installed as component rooftop_NAME_mpi, for users of the
# same MPI: with another one they do not link, since its types have other names.
function(rooftop_add_ranks name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" PROGRAM LIBRARIES)
  if(PROJECT_IS_TOP_LEVEL)
    find_package(MPI QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND)
      set(ROOFTOP_MPI MPI::MPI_CXX)
    endif()
  endif()
  if(NOT TARGET rooftop_${name} OR NOT ROOFTOP_MPI)
    return()
  endif()
  set(library rooftop_${name}_mpi)
  file(GLOB sources CONFIGURE_DEPENDS mpi/src/*.cpp)
  add_library(${library} STATIC ${sources})
  rooftop_precompile_standard_headers(${library})
  add_library(rooftop::${name}_mpi ALIAS ${library})
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/mpi/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> PRIVATE src ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../running)
  target_link_libraries(${library} PUBLIC rooftop_${name} $<BUILD_INTERFACE:${ROOFTOP_MPI}> $<INSTALL_INTERFACE:MPI::MPI_CXX>
    PRIVATE ${arg_LIBRARIES})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name}_mpi)
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/mpi/include)
    rooftop_install_solver(${name}_mpi "" ${library} ${CMAKE_CURRENT_SOURCE_DIR}/mpi/include
      ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/find_mpi.cmake)
  endif()
  if(arg_PROGRAM)
    file(GLOB sources CONFIGURE_DEPENDS mpi/program/*.cpp)
    add_executable(${arg_PROGRAM} ${sources})
    target_link_libraries(${arg_PROGRAM} PRIVATE ${library})
  endif()
  foreach(target IN ITEMS ${library} ${arg_PROGRAM})
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_options(${target} PRIVATE ${ROOFTOP_SOLVER_OPTIONS})
  endforeach()
  if(ROOFTOP_TESTS OR (PROJECT_IS_TOP_LEVEL AND BUILD_TESTING))
    add_subdirectory(mpi/tests)
  endif()
endfunction()

# rooftop_test_on_ranks(NAME COUNTS COUNT… [SANITIZED WORD…]): the target rooftop_NAME_mpi_test of this folder's sources, run on real
# ranks, as many as each count. A sanitized build has ROOFTOP_SANITIZED defined and runs it on three, with the words SANITIZED. The thread sanitizer cannot see
# Open MPI's threads.
function(rooftop_test_on_ranks name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COUNTS;SANITIZED")
  if(ROOFTOP_SANITIZE MATCHES "thread")
    return()
  endif()
  find_package(GTest REQUIRED)
  find_program(ROOFTOP_MPIRUN mpirun.openmpi NAMES mpirun)
  set(program rooftop_${name}_mpi_test)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  add_executable(${program} ${sources})
  target_link_libraries(${program} PRIVATE rooftop_${name}_mpi GTest::gtest)
  target_compile_options(${program} PRIVATE -Wall -Wextra -O1)
  set(words "")
  if(ROOFTOP_SANITIZE)
    set(arg_COUNTS 3)
    set(words ${arg_SANITIZED})
    target_compile_definitions(${program} PRIVATE ROOFTOP_SANITIZED)
  endif()
  foreach(ranks IN LISTS arg_COUNTS)
    set(test solvers/${name}/mpi/${ranks}_ranks)
    add_test(NAME ${test}
      COMMAND ${ROOFTOP_MPIRUN} -np ${ranks} --oversubscribe --bind-to none $<TARGET_FILE:${program}> ${words})
    # What Open MPI never frees is not ours to mend.
    set_tests_properties(${test} PROPERTIES TIMEOUT 600 PROCESSORS 2
      ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;ASAN_OPTIONS=detect_leaks=0")
  endforeach()
endfunction()
