# HDF5's C library, with MPI where the distribution's has it.
include(${CMAKE_CURRENT_LIST_DIR}/../../solvers/cmake/find_hdf5.cmake)
find_package(ZLIB QUIET) # the experiment's files are deflated by several threads
if(TARGET rooftop::hdf5 AND ZLIB_FOUND)
  add_library(rooftop_peer_HDF5 INTERFACE IMPORTED)
  target_link_libraries(rooftop_peer_HDF5 INTERFACE rooftop::hdf5 ZLIB::ZLIB)
  # Filters that are plugins, where the Python environment has the package hdf5plugin.
  file(GLOB rooftop_hdf5_plugins "${ROOFTOP_VENV}/lib/python3*/site-packages/hdf5plugin/plugins")
  if(rooftop_hdf5_plugins)
    list(GET rooftop_hdf5_plugins 0 rooftop_hdf5_plugins)
    target_compile_definitions(rooftop_peer_HDF5 INTERFACE "ROOFTOP_HDF5_PLUGINS=\"${rooftop_hdf5_plugins}\"")
  endif()
elseif(TARGET rooftop::hdf5)
  set(rooftop_peer_HDF5_skip "zlib is missing: install zlib1g-dev")
else()
  set(rooftop_peer_HDF5_skip "${rooftop_needs_missing}")
endif()
