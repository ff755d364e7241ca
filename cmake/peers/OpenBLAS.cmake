# OpenBLAS with its CBLAS interface, the threads of which a peer sets itself (openblas_set_num_threads).
find_path(ROOFTOP_OPENBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas openblas-pthread x86_64-linux-gnu/openblas-pthread
  aarch64-linux-gnu/openblas-pthread x86_64-linux-gnu aarch64-linux-gnu)
find_library(ROOFTOP_OPENBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-pthread x86_64-linux-gnu/openblas-pthread
  aarch64-linux-gnu/openblas-pthread)
if(ROOFTOP_OPENBLAS_INCLUDE AND ROOFTOP_OPENBLAS_LIBRARY)
  add_library(rooftop_peer_OpenBLAS INTERFACE IMPORTED)
  target_include_directories(rooftop_peer_OpenBLAS INTERFACE ${ROOFTOP_OPENBLAS_INCLUDE})
  target_link_libraries(rooftop_peer_OpenBLAS INTERFACE ${ROOFTOP_OPENBLAS_LIBRARY})
else()
  set(rooftop_peer_OpenBLAS_skip "OpenBLAS is not installed (Debian: libopenblas-dev)")
endif()
