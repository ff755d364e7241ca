# oneDNN 3 from PyPI's wheels (onednn-cpu-gomp and its -devel), the build with OpenMP threads, in the Python environment.
set(header "${ROOFTOP_VENV}/include/oneapi/dnnl/dnnl.hpp")
set(library "${ROOFTOP_VENV}/lib/libdnnl.so.3")
if(EXISTS "${header}" AND EXISTS "${library}")
  add_library(rooftop_peer_onednn_wheel SHARED IMPORTED)
  set_target_properties(rooftop_peer_onednn_wheel PROPERTIES IMPORTED_LOCATION "${library}"
    INTERFACE_INCLUDE_DIRECTORIES "${ROOFTOP_VENV}/include")
else()
  set(rooftop_peer_onednn_wheel_skip
    "oneDNN 3 is not in the Python environment (pip install onednn-cpu-gomp onednn-devel-cpu-gomp)")
endif()
