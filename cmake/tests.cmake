# rooftop_add_test(NAME SOURCES… LINK… [DEFINE…] [DIRECTORY DIR] [PREFIX TEXT]): one GoogleTest executable, each
# of its tests known to ctest by name.
set(ROOFTOP_TESTS_MISSING "")
if(ROOFTOP_TESTS)
  find_package(GTest QUIET)
  if(GTest_FOUND)
    enable_testing()
    include(GoogleTest)
  else()
    set(ROOFTOP_TESTS OFF)
    set(ROOFTOP_TESTS_MISSING "GoogleTest is not installed (Debian: libgtest-dev)")
    message(STATUS "C++ tests are not built: ${ROOFTOP_TESTS_MISSING}")
  endif()
endif()

function(rooftop_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY;PREFIX" "SOURCES;LINK;DEFINE")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gtest_main)
  # Reading GoogleTest takes longer than compiling what a small test says with it.
  list(LENGTH arg_SOURCES sources)
  if(sources GREATER 3)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  endif()
  # Tests check results, not speed: most of their time is the compiler's, with sanitizers even more so.
  if(ROOFTOP_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)
  else()
    target_compile_options(${name} PRIVATE -O1)
  endif()
  target_compile_definitions(${name} PRIVATE ${arg_DEFINE})
  if(arg_DIRECTORY)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${arg_DIRECTORY})
  endif()
  # Asked at test time: building must not run code that was compiled for another machine.
  gtest_discover_tests(${name} TEST_PREFIX "${arg_PREFIX}" DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
    DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
