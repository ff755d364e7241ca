# What has been compiled before is not compiled again, where ccache is installed, in other clones of the tree and after
# `make clean` too: paths below the tree count as relative ones. What is measured is the same object code either way.
find_program(ROOFTOP_CCACHE ccache)
if(ROOFTOP_CCACHE AND NOT DEFINED CMAKE_C_COMPILER_LAUNCHER AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true ${ROOFTOP_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
