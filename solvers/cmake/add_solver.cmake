# rooftop_add_solver(NAME TITLE SOVERSION NUMBER [FINDS FILE] [LIBRARIES LIBRARY…]): a solver of include/ and src/, called after
# project(rooftop_NAME …). LIBRARIES are what it needs besides OpenMP and Highway, and FILE is the CMake file that finds them: it is
# installed with the solver, and sets rooftop_needs_missing to what is not there.
# rooftop::NAME is the C++ library (static), rooftop::NAME_c the C one (shared, also what Python loads), made of
# src/c_api.cpp where there is one. Both are installed as component rooftop_NAME, but for a folder whose name begins with _,
# and tests/ is added where tests are wanted.
include(${CMAKE_CURRENT_LIST_DIR}/install_solver.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/precompiled_headers.cmake)

set(ROOFTOP_AARCH64 OFF)
set(ROOFTOP_SOLVER_OPTIONS -Wall -Wextra)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(ROOFTOP_AARCH64 ON)
  # Highway's NEON has AES. What GCC makes itself, such as the constructor of a struct of vectors, gets no instruction set of
  # Highway's, and cannot have a function of such a set in line. Nothing here uses AES, so that processors without it do, too.
  list(APPEND ROOFTOP_SOLVER_OPTIONS -march=armv8-a+crypto)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

function(rooftop_add_solver name title)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SOVERSION;FINDS" "LIBRARIES")
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  set(shared ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  include(${shared}/find_highway.cmake)
  if(NOT TARGET rooftop::highway)
    # In the whole tree a missing solver is a rung skipped, not a build lost.
    set(severity WARNING)
    if(PROJECT_IS_TOP_LEVEL)
      set(severity FATAL_ERROR)
    endif()
    message(${severity} "${title} is not built: Google Highway is missing: install libhwy-dev, or set hwy_ROOT.")
    return()
  endif()

  if(arg_FINDS)
    set_property(GLOBAL APPEND PROPERTY ROOFTOP_SOLVER_FINDS ${here}/${arg_FINDS})
  endif()

  file(GLOB sources CONFIGURE_DEPENDS ${here}/src/*.cpp)
  list(REMOVE_ITEM sources ${here}/src/c_api.cpp)
  set(cxx_target rooftop_${name})
  add_library(${cxx_target} STATIC ${sources})
  add_library(rooftop::${name} ALIAS ${cxx_target})
  set(c_target "")
  if(EXISTS ${here}/src/c_api.cpp)
    set(c_target rooftop_${name}_c)
    add_library(${c_target} SHARED ${here}/src/c_api.cpp)
    add_library(rooftop::${name}_c ALIAS ${c_target})
  endif()

  # Compile kernels for the sets that differ in floating point: the baseline, AVX2, AVX-512 and NEON. SSSE3 and SSE4 have no
  # wider vectors than the baseline and no multiply-add; what Highway knows beyond HWY_AVX3 (its bits are lower) adds none either.
  set(left_out "HWY_SSSE3|HWY_SSE4|(HWY_AVX3-1)|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128")
  if(ROOFTOP_AARCH64)
    # Kernels keep vectors in structs and arrays, where those of SVE, of a length that only a run knows, cannot be.
    string(APPEND left_out "|HWY_SVE")
  endif()
  set(definitions "HWY_DISABLED_TARGETS=(${left_out})")
  if(ROOFTOP_SANITIZE)
    include(${shared}/sanitized_kernels.cmake)
    rooftop_sanitized_kernels("${sources}" definitions)
  endif()
  foreach(target IN ITEMS ${cxx_target} ${c_target})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${here}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    # Highway's foreach_target.h includes the kernels' source again by its name.
    target_include_directories(${target} PRIVATE ${here}/src ${shared}/../running)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    # No -march but that: Highway compiles every kernel once per instruction set and picks one at run time.
    target_compile_options(${target} PRIVATE ${ROOFTOP_SOLVER_OPTIONS})
    target_compile_definitions(${target} PRIVATE "${definitions}")
  endforeach()

  rooftop_precompile_standard_headers(${cxx_target})
  target_compile_features(${cxx_target} PUBLIC cxx_std_20)
  set_target_properties(${cxx_target} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(${cxx_target} PRIVATE OpenMP::OpenMP_CXX rooftop::highway ${arg_LIBRARIES})

  if(c_target)
    target_compile_features(${c_target} PRIVATE cxx_std_20)
    target_include_directories(${c_target} PRIVATE ${shared}/../c_interface)
    target_link_libraries(${c_target} PRIVATE ${cxx_target})
    # Nothing but the C functions is exported.
    set_target_properties(${c_target} PROPERTIES OUTPUT_NAME rooftop_${name} EXPORT_NAME ${name}_c
      VERSION ${CMAKE_PROJECT_VERSION} SOVERSION ${arg_SOVERSION} LINK_DEPENDS ${shared}/c_functions.map)
    target_link_options(${c_target} PRIVATE -Wl,--version-script=${shared}/c_functions.map)
  endif()

  get_filename_component(folder ${here} NAME)
  if(NOT folder MATCHES "^_")
    rooftop_install_solver(${name} "${c_target}" ${cxx_target} ${here}/include "${arg_FINDS}")
  endif()

  if(PROJECT_IS_TOP_LEVEL)
    include(CTest)
    set(ROOFTOP_TESTS ${BUILD_TESTING})
  endif()
  if(ROOFTOP_TESTS)
    include(${shared}/test_installed.cmake)
    include(${shared}/test_references.cmake)
    # Tests check results, not speed: most of their time is the compiler's, with sanitizers even more so.
    set(ROOFTOP_TEST_OPTIONS -O1)
    if(ROOFTOP_SANITIZE)
      set(ROOFTOP_TEST_OPTIONS -O0 -DROOFTOP_SANITIZED)
    endif()
    add_subdirectory(${here}/tests)
  endif()
endfunction()
