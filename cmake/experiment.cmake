# One experiment: its verifier, its driver, and a module for each file in rungs/ and peers/.
include(serial_tests)

# The modules of one kind (rungs, peers) of an experiment.
function(rooftop_discover_modules folder name kind)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/${kind}/*.cpp)
  rooftop_drop_serial_tests(sources)
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
      rooftop_needs_of(${source} needs)
      if("MPI" IN_LIST needs)
        rooftop_add_mpi_driver(${name})
        rooftop_add_ranked_module_test(${folder} ${name} ${kind} ${stem})
      else()
        rooftop_add_module_test(${folder} ${name} ${kind} ${stem})
      endif()
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

# The same for an MPI program, by real ranks: one, two, and odd numbers that divide little, one of them above the cores'.
function(rooftop_add_ranked_module_test folder name kind stem)
  set(cases ${folder}/tests/cases.jsonl)
  string(REPLACE "/" "." prefix ${name})
  if(NOT ROOFTOP_TESTS OR NOT EXISTS ${cases})
    return()
  endif()
  set(counts 1 2 3 5)
  if(ROOFTOP_SANITIZE)
    set(counts 3)
  endif()
  set(module ${CMAKE_BINARY_DIR}/experiments/${name}/${kind}/${stem}.so)
  foreach(ranks IN LISTS counts)
    set(test ${name}/${kind}/${stem}/${ranks}_ranks)
    # Idle ranks on too few cores yield; a container's administrator may start them. Leaks are Open MPI's own.
    add_test(NAME ${test} COMMAND ${ROOFTOP_MPIRUN} -np ${ranks} --oversubscribe --bind-to none
      $<TARGET_FILE:${prefix}.driver_mpi> check --module ${module} --cases ${cases} --threads 1)
    set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 PROCESSORS 2
      ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;ASAN_OPTIONS=detect_leaks=0")
  endforeach()
endfunction()

# The driver of an experiment's modules that are MPI programs, once.
function(rooftop_add_mpi_driver name)
  string(REPLACE "/" "." prefix ${name})
  if(TARGET ${prefix}.driver_mpi)
    return()
  endif()
  add_executable(${prefix}.driver_mpi $<TARGET_OBJECTS:rooftop_driver_mpi_main>)
  set_target_properties(${prefix}.driver_mpi PROPERTIES OUTPUT_NAME driver_mpi
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/experiments/${name})
  target_link_libraries(${prefix}.driver_mpi PRIVATE ${prefix}.verifier rooftop_driver rooftop_peer_MPI)
  add_dependencies(bench ${prefix}.driver_mpi)
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
  # What reads JSON reads parameters, and optimising that with a sanitizer's checks takes longer than all that it does. A fuzzer
  # calls it a million times.
  set(json_readers "")
  foreach(source IN LISTS sources)
    file(STRINGS ${source} json REGEX "#include <nlohmann/json.hpp>" LIMIT_COUNT 1)
    if(json)
      list(APPEND json_readers ${source})
    endif()
  endforeach()
  if(ROOFTOP_SANITIZE AND NOT ROOFTOP_SANITIZE MATCHES "fuzzer")
    set_source_files_properties(${json_readers} PROPERTIES COMPILE_OPTIONS -O0)
  endif()
  target_link_libraries(${prefix}.verifier PUBLIC ${prefix}.contract rooftop_native)
  if(PROJECT_NAME STREQUAL "rooftop")
    # JSON's header costs the others more than it saves.
    target_precompile_headers(${prefix}.verifier REUSE_FROM rooftop_native)
    list(REMOVE_ITEM sources ${json_readers})
    set_source_files_properties(${sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  # A reference means the roundings that it is written with.
  target_compile_options(${prefix}.verifier PRIVATE -ffp-contract=off)

  add_executable(${prefix}.driver $<TARGET_OBJECTS:rooftop_driver_main>)
  set_target_properties(${prefix}.driver PROPERTIES OUTPUT_NAME driver RUNTIME_OUTPUT_DIRECTORY ${directory})
  target_link_libraries(${prefix}.driver PRIVATE ${prefix}.verifier rooftop_driver)
  add_dependencies(bench ${prefix}.driver)

  rooftop_discover_modules(${folder} ${name} rungs)
  rooftop_discover_modules(${folder} ${name} peers)

  rooftop_add_case_fuzzer(${prefix} ${folder})
  file(GLOB tests CONFIGURE_DEPENDS ${folder}/tests/*.cpp)
  if(ROOFTOP_TESTS AND tests)
    rooftop_add_test(${prefix}.tests SOURCES ${tests} LINK ${prefix}.verifier DIRECTORY ${directory} PREFIX "${name}/")
  endif()
endfunction()
