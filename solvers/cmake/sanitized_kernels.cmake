# rooftop_sanitized_kernels(SOURCES OUT): how Highway's kernels are compiled for a sanitizer, which takes longer over them than
# over all the rest. OUT: the definitions of the whole solver, which decide the instruction sets that kernels are compiled for.
#
# Two sets are left: scalar code, and the best that this processor runs. The others are the same source again, with vectors of
# another length, and run in the release build's tests. Highway's emulation of 128-bit vectors is no scalar code, and clang
# takes three times as long over it.
#
# Of the undefined-behaviour sanitizer's checks of kernels, those of pointers are left to the address sanitizer, which stops
# at an access outside of an object and at null; a vector loaded from an address that is not aligned to it stops by itself.
# The address sanitizer's checks are calls there: compiling them in line takes twice as long.
function(rooftop_sanitized_kernels sources out)
  set(best HWY_AVX2)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo wide REGEX "avx512dq" LIMIT_COUNT 1)
    if(wide)
      set(best HWY_AVX3)
    endif()
  endif()
  set(left_out HWY_SSSE3 HWY_SSE4 HWY_AVX2 HWY_AVX3 "(HWY_AVX3-1)")
  list(REMOVE_ITEM left_out ${best})
  list(JOIN left_out "|" left_out)
  set(${out} "HWY_DISABLED_TARGETS=(${left_out})" HWY_BROKEN_EMU128=1 PARENT_SCOPE)

  if(NOT ROOFTOP_SANITIZE MATCHES "address" OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  foreach(source IN LISTS sources)
    file(STRINGS ${source} kernels REGEX "foreach_target" LIMIT_COUNT 1)
    if(kernels)
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS
        "-fno-sanitize=pointer-overflow,object-size,null,alignment;-mllvm;-asan-instrumentation-with-call-threshold=0")
    endif()
  endforeach()
endfunction()
