# HDF5's C library, with MPI where the distribution's has it.
include(${CMAKE_CURRENT_LIST_DIR}/../../solvers/cmake/find_hdf5.cmake)
if(TARGET rooftop::hdf5)
  add_library(rooftop_peer_HDF5 INTERFACE IMPORTED)
  target_link_libraries(rooftop_peer_HDF5 INTERFACE rooftop::hdf5)
else()
  set(rooftop_peer_HDF5_skip "${rooftop_needs_missing}")
endif()
