# rooftop_test_installed(NAME [NEEDS NAME]): a separate project builds the programs in consumer/ against the installed package, in C++ and, if
# the solver has a C library, in C. NEEDS is another installed component that it needs. Builds with sanitizers are not installed.
function(rooftop_test_installed name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NEEDS" "")
  if(ROOFTOP_SANITIZE)
    return()
  endif()
  set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
  foreach(component IN ITEMS ${name} ${arg_NEEDS})
    set(test solvers/${name}/install)
    if(NOT component STREQUAL name)
      string(APPEND test "-${component}")
    endif()
    add_test(NAME ${test}
      COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --component rooftop_${component} --prefix ${prefix})
    set_tests_properties(${test} PROPERTIES FIXTURES_SETUP rooftop_${name}_installed)
  endforeach()
  set(mpi "")
  if(ROOFTOP_MPICXX)
    set(mpi -DMPI_CXX_COMPILER=${ROOFTOP_MPICXX})
  endif()
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
          ${mpi} -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
        --test-command consumer)
    set_tests_properties(solvers/${name}/consumer-${language} PROPERTIES
      FIXTURES_REQUIRED rooftop_${name}_installed TIMEOUT 300)
  endforeach()
endfunction()
