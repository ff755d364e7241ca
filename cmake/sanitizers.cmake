# ROOFTOP_SANITIZE: names of sanitizers, as -fsanitize= takes them. Every target is built with them, modules too, because
# a sanitizer that sees only half of a program reports what is not there.
set(ROOFTOP_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined or thread")
if(ROOFTOP_SANITIZE)
  add_compile_options(-fsanitize=${ROOFTOP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${ROOFTOP_SANITIZE})
endif()

# The thread sanitizer does not know how an OpenMP runtime synchronises. Archer, which comes with clang's, tells it; gcc's
# runtime has nothing of the kind and every parallel region would be reported.
if(ROOFTOP_SANITIZE MATCHES "thread")
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ROOFTOP_SANITIZE=thread needs clang: gcc's OpenMP runtime gives false reports (preset tsan)")
  endif()
  find_library(ROOFTOP_ARCHER archer PATHS /usr/lib/llvm-16/lib REQUIRED)
endif()
