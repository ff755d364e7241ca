# oneDNN as the distribution packages it. Its CMake package would ask for OpenCL's headers, which nothing here uses, and a
# path to Python's environment would lead to the wheel's.
find_path(ROOFTOP_DNNL_INCLUDE oneapi/dnnl/dnnl.hpp NO_SYSTEM_ENVIRONMENT_PATH)
find_library(ROOFTOP_DNNL_LIBRARY dnnl NO_SYSTEM_ENVIRONMENT_PATH)
mark_as_advanced(ROOFTOP_DNNL_INCLUDE ROOFTOP_DNNL_LIBRARY)
if(ROOFTOP_DNNL_INCLUDE AND ROOFTOP_DNNL_LIBRARY)
  add_library(rooftop_peer_DNNL INTERFACE IMPORTED)
  target_include_directories(rooftop_peer_DNNL INTERFACE ${ROOFTOP_DNNL_INCLUDE})
  target_link_libraries(rooftop_peer_DNNL INTERFACE ${ROOFTOP_DNNL_LIBRARY})
else()
  set(rooftop_peer_DNNL_skip "oneDNN is not installed (Debian: libdnnl-dev)")
endif()
