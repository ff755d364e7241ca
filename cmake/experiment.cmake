# One experiment: its verifier, its driver, and a module for each file in rungs/ and peers/.

# The modules of one kind (rungs, peers) of an experiment.
function(rooftop_discover_modules folder name kind)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/${kind}/*.cpp)
  set(directory ${CMAKE_BINARY_DIR}/experiments/${name}/${kind})
  set(stems "")
  foreach(source IN LISTS sources)
    get_filename_component(stem ${source} NAME_WLE)
    list(APPEND stems ${stem})
  endforeach()
  rooftop_remove_stale(${directory} ${stems})
  string(REPLACE "/" "." prefix ${name})
  foreach(source IN LISTS sources)
    get_filename_component(stem ${source} NAME_WLE)
    set(target ${prefix}.${kind}.${stem})
    rooftop_add_module(${source} ${target} ${directory} BENCH LINK ${prefix}.contract)
    if(TARGET ${target})
      rooftop_add_module_test(${folder} ${name} ${kind} ${stem})
    endif()
  endforeach()
endfunction()

# Verifies a module on the cases in tests/cases.jsonl, one case's parameters a line: this is how rungs meet sanitizers.
function(rooftop_add_module_test folder name kind stem)
  set(cases ${folder}/tests/cases.jsonl)
  string(REPLACE "/" "." prefix ${name})
  if(ROOFTOP_TESTS AND EXISTS ${cases})
    set(module ${CMAKE_BINARY_DIR}/experiments/${name}/${kind}/${stem}.so)
    add_test(NAME ${name}/${kind}/${stem} COMMAND ${prefix}.driver check --module ${module} --cases ${cases})
    set_tests_properties(${name}/${kind}/${stem} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
    if(kind STREQUAL "peers")
      # A foreign library's leaks are not ours to mend, and the search for them ends in a crash inside oneDNN 2.6.
      set_tests_properties(${name}/${kind}/${stem} PROPERTIES ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    endif()
  endif()
endfunction()

# NAME is the folder below experiments/, such as winograd or labs/false_sharing; outside the tree it is the folder's own.
function(rooftop_discover_experiment folder name)
  string(REPLACE "/" "." prefix ${name})
  set(directory ${CMAKE_BINARY_DIR}/experiments/${name})

  # What rungs, verifier and tests share: the headers beside problem.cpp.
  add_library(${prefix}.contract INTERFACE)
  target_include_directories(${prefix}.contract INTERFACE ${folder})

  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_library(${prefix}.verifier STATIC ${sources})
  target_link_libraries(${prefix}.verifier PUBLIC ${prefix}.contract rooftop_native)
  # A reference means the roundings that it is written with.
  target_compile_options(${prefix}.verifier PRIVATE -ffp-contract=off)

  add_executable(${prefix}.driver $<TARGET_OBJECTS:rooftop_driver_main>)
  set_target_properties(${prefix}.driver PROPERTIES OUTPUT_NAME driver RUNTIME_OUTPUT_DIRECTORY ${directory})
  target_link_libraries(${prefix}.driver PRIVATE ${prefix}.verifier rooftop_driver)
  add_dependencies(bench ${prefix}.driver)

  rooftop_discover_modules(${folder} ${name} rungs)
  rooftop_discover_modules(${folder} ${name} peers)

  file(GLOB tests CONFIGURE_DEPENDS ${folder}/tests/*.cpp)
  if(ROOFTOP_TESTS AND tests)
    rooftop_add_test(${prefix}.tests SOURCES ${tests} LINK ${prefix}.verifier DIRECTORY ${directory} PREFIX "${name}/")
  endif()
endfunction()
