include(shared_headers)

# A lab: one module of all its variants, which the labs' driver runs. NAME is the folder below experiments/, such as
# labs/false_sharing; outside the tree it is the folder's own.
function(rooftop_discover_lab folder name)
  string(REPLACE "/" "." target ${name})
  set(directory ${CMAKE_BINARY_DIR}/experiments/${name})
  rooftop_add_module(${folder}/lab.cpp ${target} ${directory} BENCH LAB)
  if(NOT TARGET ${target})
    return()
  endif()
  file(GLOB more CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.c)
  list(REMOVE_ITEM more ${folder}/lab.cpp)
  target_sources(${target} PRIVATE ${more})
  rooftop_share_headers(${target} rooftop_lab_headers LINK rooftop_rung
    OPTIONS $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
    HEADERS <rooftop/aligned.hpp> <rooftop/lab_contract.hpp> <algorithm> <array> <atomic> <numeric> <omp.h> <string> <vector>)
  if(ROOFTOP_SANITIZE)
    # What is between a sanitizer's checks cannot always be made vectors, and nothing is measured there.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
  endif()
  target_compile_definitions(${target} PRIVATE ROOFTOP_LAB_NAME="${name}")

  # Beside the module, where the bench looks for every experiment's driver.
  set(drivers rooftop_lab_driver)
  rooftop_needs_of(${folder}/lab.cpp needs)
  if("MPI" IN_LIST needs)
    list(APPEND drivers rooftop_lab_driver_mpi)
  endif()
  foreach(driver IN LISTS drivers)
    string(REPLACE rooftop_lab_ "" link ${driver})
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:${driver}> ${directory}/${link})
    if(TARGET ${driver})
      add_dependencies(${target} ${driver})
    endif()
  endforeach()

  # Each variant must be right on the lab's own cases, and the verifier must catch what is planted in its results.
  if(ROOFTOP_TESTS)
    set(check ${directory}/driver check --module ${directory}/lab.so)
    if("MPI" IN_LIST needs)
      set(check ${ROOFTOP_MPIRUN} -np 3 --oversubscribe --bind-to none ${directory}/driver_mpi check --module
        ${directory}/lab.so --threads 1)
    endif()
    add_test(NAME ${name}/lab COMMAND ${check})
    set_tests_properties(${name}/lab PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 PROCESSORS 2)
    if("MPI" IN_LIST needs)
      # A container's administrator may start ranks. Leaks are Open MPI's own.
      set_property(TEST ${name}/lab PROPERTY ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1"
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1" "ASAN_OPTIONS=detect_leaks=0")
    endif()
  endif()
endfunction()
