# ROOFTOP_SANITIZE: names of sanitizers, as -fsanitize= takes them. Every target is built with them, modules too, because
# a sanitizer that sees only half of a program reports what is not there.
set(ROOFTOP_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined or thread")

# Names the package of what a sanitizer links, where that is missing.
function(rooftop_require_sanitizer names)
  include(CheckCXXSourceCompiles)
  string(REPLACE ",fuzzer-no-link" "" names ${names})
  set(CMAKE_REQUIRED_FLAGS -fsanitize=${names})
  check_cxx_source_compiles("int main() { return 0; }" ROOFTOP_SANITIZER_LINKS)
  if(NOT ROOFTOP_SANITIZER_LINKS)
    unset(ROOFTOP_SANITIZER_LINKS CACHE)
    string(REGEX MATCH "^[0-9]+" version "${CMAKE_CXX_COMPILER_VERSION}")
    set(package libclang-rt-${version}-dev)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      set(package libgcc-${version}-dev)
    endif()
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} cannot link -fsanitize=${names}: its run-time library is not installed: apt-get "
      "install ${package}")
  endif()
endfunction()

if(ROOFTOP_SANITIZE)
  add_compile_options(-fsanitize=${ROOFTOP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${ROOFTOP_SANITIZE})
  rooftop_require_sanitizer(${ROOFTOP_SANITIZE})
endif()

# The thread sanitizer does not know how an OpenMP runtime synchronises. Archer, which comes with clang's, tells it; gcc's
# runtime has nothing of the kind and every parallel region would be reported.
if(ROOFTOP_SANITIZE MATCHES "thread")
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ROOFTOP_SANITIZE=thread needs clang: gcc's OpenMP runtime gives false reports (preset tsan)")
  endif()
  string(REGEX MATCH "^[0-9]+" version "${CMAKE_CXX_COMPILER_VERSION}")
  find_library(ROOFTOP_ARCHER archer PATHS /usr/lib/llvm-${version}/lib)
  if(NOT ROOFTOP_ARCHER)
    message(FATAL_ERROR "The thread sanitizer needs libarcher.so of clang ${version}'s OpenMP, which is not installed: apt-get "
      "install libomp-${version}-dev. Only one version of libomp can be installed: another one displaces it.")
  endif()
endif()
