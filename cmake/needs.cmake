# A source says what it needs in one comment line, `// needs: OpenBLAS`. A need is a library of this tree (a target built
# by solvers/) or one of cmake/peers/NAME.cmake, which either defines the imported target rooftop_peer_NAME or sets
# rooftop_peer_NAME_skip to the reason why it cannot be had here and what provides it.
set(ROOFTOP_PEERS_DIR "${CMAKE_CURRENT_LIST_DIR}/peers")

function(rooftop_needs_of source out)
  file(STRINGS ${source} line REGEX "^// needs:" LIMIT_COUNT 1)
  string(REGEX REPLACE "^// needs:[ \t]*" "" names "${line}")
  string(REGEX REPLACE "[ \t,]+" ";" names "${names}")
  list(REMOVE_ITEM names "")
  set(${out} "${names}" PARENT_SCOPE)
  # A changed line changes what is linked.
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

# Sets `out_target` to what to link, or `out_reason` to why it cannot be had.
macro(rooftop_resolve_need name out_target out_reason)
  set(${out_target} "")
  set(${out_reason} "")
  if(TARGET ${name})
    set(${out_target} ${name})
  elseif(TARGET rooftop_peer_${name})
    set(${out_target} rooftop_peer_${name})
  elseif(EXISTS "${ROOFTOP_PEERS_DIR}/${name}.cmake")
    include("${ROOFTOP_PEERS_DIR}/${name}.cmake")
    if(TARGET rooftop_peer_${name})
      set(${out_target} rooftop_peer_${name})
    elseif(rooftop_peer_${name}_skip)
      set(${out_reason} "${rooftop_peer_${name}_skip}")
    else()
      message(FATAL_ERROR "cmake/peers/${name}.cmake: defines neither rooftop_peer_${name} nor rooftop_peer_${name}_skip")
    endif()
  else()
    set(${out_reason} "needs ${name}, which is neither a library of this build nor cmake/peers/${name}.cmake")
  endif()
endmacro()
