# oneDNN as the distribution packages it.
find_package(dnnl QUIET CONFIG)
if(TARGET DNNL::dnnl)
  add_library(rooftop_peer_DNNL INTERFACE IMPORTED)
  target_link_libraries(rooftop_peer_DNNL INTERFACE DNNL::dnnl)
else()
  set(rooftop_peer_DNNL_skip "oneDNN is not installed (Debian: libdnnl-dev)")
endif()
