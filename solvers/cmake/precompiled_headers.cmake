# rooftop_precompile_standard_headers(TARGET): reading the standard library's headers takes longer than compiling what most of a
# solver's files say with them. A few files would save less than precompiling takes. Kernels are compiled without: what they take
# is the optimiser's.
function(rooftop_precompile_standard_headers target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(count LESS 6)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <limits> <memory> <numeric>
    <optional> <span> <stdexcept> <string> <utility> <vector>)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} kernels REGEX "foreach_target" LIMIT_COUNT 1)
    if(kernels)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
