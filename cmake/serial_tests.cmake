# rooftop_drop_serial_tests(LIST): with the thread sanitizer, takes out of a list of sources the tests and the rungs that say by
# a line `// threads: none` that they start no threads: it would find nothing in them. Elsewhere the list stays as it is.
function(rooftop_drop_serial_tests list)
  if(NOT ROOFTOP_SANITIZE MATCHES "thread")
    return()
  endif()
  set(kept "")
  foreach(source IN LISTS ${list})
    file(STRINGS ${source} serial REGEX "^// threads: none" LIMIT_COUNT 1)
    if(NOT serial)
      list(APPEND kept ${source})
    endif()
    # A changed line changes what is built.
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
  set(${list} "${kept}" PARENT_SCOPE)
endfunction()
