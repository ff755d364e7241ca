# The suffix of a file's name (90-fused.avx2.cpp) sets the instructions it may use. native/src/isa.cpp asks the processor
# for the same features before a module is loaded: change both together.
set(ROOFTOP_ISAS avx2 avx512 neon)
set(ROOFTOP_ISA_avx2_processor "x86_64|AMD64")
set(ROOFTOP_ISA_avx2_flags -mavx2 -mfma -mbmi2)
set(ROOFTOP_ISA_avx512_processor "x86_64|AMD64")
set(ROOFTOP_ISA_avx512_flags -mavx2 -mfma -mbmi2 -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl
                             -mprefer-vector-width=512)
set(ROOFTOP_ISA_neon_processor "aarch64|arm64")
set(ROOFTOP_ISA_neon_flags "")

# The instruction set that a source's name asks for, or "" for the baseline; any other dotted suffix is a slip.
function(rooftop_isa_of source out)
  get_filename_component(file ${source} NAME)
  set(${out} "" PARENT_SCOPE)
  if(file MATCHES "^[^.]+\\.([^.]+)\\.cpp$")
    if(NOT CMAKE_MATCH_1 IN_LIST ROOFTOP_ISAS)
      message(FATAL_ERROR "${source}: suffix '.${CMAKE_MATCH_1}' is not an instruction set; expected one of: ${ROOFTOP_ISAS}")
    endif()
    set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
  elseif(NOT file MATCHES "^[^.]+\\.cpp$")
    message(FATAL_ERROR "${source}: expected a name of the form NAME.cpp or NAME.ISA.cpp")
  endif()
endfunction()
