# rooftop_test_installed(NAME): a separate project builds the programs in consumer/ against the installed package, in C++ and, if
# the solver has a C library, in C. Builds with sanitizers are not installed.
function(rooftop_test_installed name)
  if(ROOFTOP_SANITIZE)
    return()
  endif()
  set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
  add_test(NAME solvers/${name}/install
    COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --component rooftop_${name} --prefix ${prefix})
  set_tests_properties(solvers/${name}/install PROPERTIES FIXTURES_SETUP rooftop_${name}_installed)
  set(languages CXX)
  if(TARGET rooftop_${name}_c)
    list(APPEND languages C)
  endif()
  foreach(language IN LISTS languages)
    add_test(NAME solvers/${name}/consumer-${language}
      COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/consumer
        ${CMAKE_CURRENT_BINARY_DIR}/consumer-${language} --build-generator ${CMAKE_GENERATOR}
        --build-options -DSOLVER=${name} -DPROGRAMS=${CMAKE_CURRENT_SOURCE_DIR}/consumer
          -Drooftop_ROOT=${prefix} -DCONSUMER_LANGUAGE=${language} -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
          -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        --test-command consumer)
    set_tests_properties(solvers/${name}/consumer-${language} PROPERTIES
      FIXTURES_REQUIRED rooftop_${name}_installed TIMEOUT 300)
  endforeach()
endfunction()
