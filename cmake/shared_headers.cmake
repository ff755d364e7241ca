# Reading the standard library's headers takes longer than compiling what most rungs and labs say with them: they are precompiled
# once for all that are compiled alike, by a library that is nothing else. clang-tidy reads the sources without, and finds a header
# that is missing.

# rooftop_share_headers(TARGET OWNER [PROGRAM] LINK… [OPTIONS…] HEADERS…): TARGET uses the precompiled headers of OWNER, which the first
# call makes. PROGRAM: TARGET is an executable, which is not compiled as what is shared.
function(rooftop_share_headers target owner)
  cmake_parse_arguments(PARSE_ARGV 2 arg "PROGRAM" "" "LINK;OPTIONS;HEADERS")
  if(NOT TARGET ${owner})
    set(source ${CMAKE_BINARY_DIR}/precompiled/${owner}.cpp)
    if(arg_PROGRAM)
      file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
      add_executable(${owner} EXCLUDE_FROM_ALL ${source})
    else()
      file(CONFIGURE OUTPUT ${source} CONTENT "")
      add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${source})
    endif()
    target_link_libraries(${owner} PRIVATE ${arg_LINK})
    target_compile_options(${owner} PRIVATE ${arg_OPTIONS})
    target_precompile_headers(${owner} PRIVATE ${arg_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
