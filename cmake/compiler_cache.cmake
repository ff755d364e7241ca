# What has been compiled before is not compiled again, where ccache is installed, in other clones of the tree and after
# `make clean` too: paths below the tree count as relative ones. What is measured is the same object code either way.
find_program(ROOFTOP_CCACHE ccache)
if(ROOFTOP_CCACHE AND NOT DEFINED CMAKE_C_COMPILER_LAUNCHER AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache asks for where headers are precompiled; nothing here uses __TIME__.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true
    CCACHE_SLOPPINESS=pch_defines,time_macros ${ROOFTOP_CCACHE})
  # A header that was precompiled elsewhere is as good; clang would look when its text was written.
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
