# HDF5's C library, with MPI where the distribution's has it.
include(${CMAKE_CURRENT_LIST_DIR}/../../solvers/cmake/find_hdf5.cmake)
if(TARGET rooftop::hdf5)
  add_library(rooftop_peer_HDF5 INTERFACE IMPORTED)
  find_package(ZLIB REQUIRED) # libhdf5-dev depends on it: files are deflated by several threads
  target_link_libraries(rooftop_peer_HDF5 INTERFACE rooftop::hdf5 ZLIB::ZLIB)
  # Filters that are plugins, where the Python environment has the package hdf5plugin.
  file(GLOB rooftop_hdf5_plugins "${ROOFTOP_VENV}/lib/python3*/site-packages/hdf5plugin/plugins")
  if(rooftop_hdf5_plugins)
    list(GET rooftop_hdf5_plugins 0 rooftop_hdf5_plugins)
    target_compile_definitions(rooftop_peer_HDF5 INTERFACE "ROOFTOP_HDF5_PLUGINS=\"${rooftop_hdf5_plugins}\"")
  endif()
else()
  set(rooftop_peer_HDF5_skip "${rooftop_needs_missing}")
endif()
