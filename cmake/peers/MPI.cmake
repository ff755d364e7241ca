# Open MPI, for modules that are MPI programs.
include(mpi_wrappers)
rooftop_find_mpi_wrapper(ROOFTOP_MPICXX mpicxx openmpi)
if(ROOFTOP_MPICXX)
  # A wrapper by its plain name has the launcher of its own MPI beside it.
  cmake_path(GET ROOFTOP_MPICXX EXTENSION LAST_ONLY full)
  cmake_path(GET ROOFTOP_MPICXX PARENT_PATH folder)
  find_program(ROOFTOP_MPIRUN mpirun${full} HINTS ${folder})
  mark_as_advanced(ROOFTOP_MPIRUN)
endif()
set(rooftop_peer_MPI_skip "needs Open MPI (Debian: libopenmpi-dev and openmpi-bin)")
if(ROOFTOP_MPICXX AND ROOFTOP_MPIRUN)
  set(MPI_CXX_COMPILER ${ROOFTOP_MPICXX})
  # The C++ bindings that MPI has dropped would be compiled into every file.
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    # Imported: what is built with it says so by name to builds outside, which look for their own.
    add_library(rooftop_peer_MPI INTERFACE IMPORTED GLOBAL)
    target_link_libraries(rooftop_peer_MPI INTERFACE MPI::MPI_CXX)
  endif()
endif()
