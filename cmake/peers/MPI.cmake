# Open MPI, for modules that are MPI programs. Its own compiler's full name says which MPI it is.
find_program(ROOFTOP_MPICXX mpicxx.openmpi)
find_program(ROOFTOP_MPIRUN mpirun.openmpi)
mark_as_advanced(ROOFTOP_MPICXX ROOFTOP_MPIRUN)
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
