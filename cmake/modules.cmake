# rooftop_add_module(SOURCE TARGET DIRECTORY [BENCH] [LAB] [LINK…]): one rung or peer as a shared module in DIRECTORY, or, where
# it cannot be built here, a NAME.skipped file with the reason in its place. BENCH: the bench runs it. LAB: it is a lab.
#
# A module exports one symbol. All else binds inside it, so that no inline function that it compiled for a newer processor
# can be taken by the driver, nor the driver's copy of anything by it.
include(shared_headers)
set(ROOFTOP_MODULE_EXPORTS "${CMAKE_CURRENT_LIST_DIR}/module.exports")
set(ROOFTOP_LAB_EXPORTS "${CMAKE_CURRENT_LIST_DIR}/lab.exports")

function(rooftop_add_module source target directory)
  cmake_parse_arguments(PARSE_ARGV 3 arg "BENCH;LAB" "" "LINK")
  set(exports ${ROOFTOP_MODULE_EXPORTS})
  if(arg_LAB)
    set(exports ${ROOFTOP_LAB_EXPORTS})
  endif()
  get_filename_component(name ${source} NAME_WLE)
  rooftop_isa_of(${source} isa)
  rooftop_needs_of(${source} needs)

  set(reason "")
  set(libraries "")
  if(isa AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(${ROOFTOP_ISA_${isa}_processor})$")
    set(reason "${isa} code is not for this architecture (${CMAKE_SYSTEM_PROCESSOR})")
  endif()
  foreach(need IN LISTS needs)
    if(NOT reason)
      rooftop_resolve_need(${need} library reason)
      if(library MATCHES "^rooftop_peer_" AND ROOFTOP_SANITIZE MATCHES "thread")
        set(reason "needs ${need}, whose threads the thread sanitizer cannot see")
      endif()
      list(APPEND libraries ${library})
    endif()
  endforeach()

  file(MAKE_DIRECTORY ${directory})
  if(reason)
    file(REMOVE "${directory}/${name}.so")
    file(WRITE "${directory}/${name}.skipped" "${reason}\n")
    message(STATUS "Skipped ${target}: ${reason}")
    return()
  endif()
  file(REMOVE "${directory}/${name}.skipped")

  add_library(${target} MODULE ${source})
  if(arg_BENCH)
    add_dependencies(bench ${target})
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${directory}
    LINK_DEPENDS ${exports})
  target_compile_options(${target} PRIVATE ${ROOFTOP_ISA_${isa}_flags} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${exports}")
  target_link_libraries(${target} PRIVATE ${arg_LINK} rooftop_rung ${libraries})
  # Not peers, whose libraries bring definitions that change what headers say. Outside the tree there are too few rungs.
  if(arg_BENCH AND NOT arg_LAB AND source MATCHES "/rungs/[^/]+$" AND PROJECT_NAME STREQUAL "rooftop")
    rooftop_share_headers(${target} rooftop_rung_headers_${isa} LINK rooftop_rung
      OPTIONS ${ROOFTOP_ISA_${isa}_flags} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
      HEADERS <rooftop/aligned.hpp> <rooftop/rung.hpp> <algorithm> <array> <cmath> <memory> <omp.h> <optional> <span> <string>
        <vector>)
  endif()
  if(NOT ROOFTOP_SANITIZE)
    target_link_options(${target} PRIVATE "LINKER:--no-undefined")
  endif()
endfunction()

# Removes what was built from sources that are gone: the bench takes what it finds there for what there is.
function(rooftop_remove_stale directory)
  file(GLOB built LIST_DIRECTORIES false ${directory}/*)
  foreach(file IN LISTS built)
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "(\\.so|\\.skipped)$" "" stem "${name}")
    if(NOT stem IN_LIST ARGN AND NOT name MATCHES "\\.(cmake|json)$")
      file(REMOVE ${file})
    endif()
  endforeach()
endfunction()
