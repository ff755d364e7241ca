# rooftop_precompile_standard_headers(TARGET): reading the standard library's headers takes longer than compiling what most of a
# solver's files say with them. All solvers share one precompiled header, since their libraries are compiled alike. A library of a
# few files would save less than precompiling takes. Kernels are compiled without: most of their time is the optimiser's.
function(rooftop_precompile_standard_headers target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(count LESS 6)
    return()
  endif()
  if(NOT TARGET rooftop_solver_headers)
    set(empty ${CMAKE_BINARY_DIR}/precompiled/rooftop_solver_headers.cpp)
    file(CONFIGURE OUTPUT ${empty} CONTENT "")
    add_library(rooftop_solver_headers OBJECT EXCLUDE_FROM_ALL ${empty})
    set_target_properties(rooftop_solver_headers PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_features(rooftop_solver_headers PRIVATE cxx_std_20)
    target_compile_options(rooftop_solver_headers PRIVATE ${ROOFTOP_SOLVER_OPTIONS})
    target_link_libraries(rooftop_solver_headers PRIVATE OpenMP::OpenMP_CXX)
    target_precompile_headers(rooftop_solver_headers PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <limits> <memory>
      <numeric> <optional> <span> <stdexcept> <string> <utility> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM rooftop_solver_headers)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} kernels REGEX "foreach_target" LIMIT_COUNT 1)
    if(kernels)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()
