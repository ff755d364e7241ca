# ROOFTOP_SANITIZE: names of sanitizers, as -fsanitize= takes them. Every target is built with them, modules too, because
# a sanitizer that sees only half of a program reports what is not there.
set(ROOFTOP_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined or thread")
if(ROOFTOP_SANITIZE)
  add_compile_options(-fsanitize=${ROOFTOP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${ROOFTOP_SANITIZE})
endif()
