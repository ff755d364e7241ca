# rooftop_test_references(SOURCE…): sources of a test that compute what results are held against, or make large inputs. They
# keep their speed in every build type, as they are most of the work of such a test; of the undefined-behaviour sanitizer's
# checks they have those that the address sanitizer does not make anyway, as kernels do (sanitized_kernels.cmake).
function(rooftop_test_references)
  set(options -O2)
  if(ROOFTOP_SANITIZE MATCHES "address")
    list(APPEND options -fno-sanitize=pointer-overflow,object-size,null,alignment)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()
