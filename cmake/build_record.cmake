# BUILD/build.json: what could explain a number and is known only to the build.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
get_directory_property(options COMPILE_OPTIONS)
list(FILTER options EXCLUDE REGEX "[$]<")  # some compilers' alone
list(JOIN options " " options)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${options}" flags)
set(isa_flags "{}")
foreach(isa IN LISTS ROOFTOP_ISAS)
  list(JOIN ROOFTOP_ISA_${isa}_flags " " joined)
  string(JSON isa_flags SET "${isa_flags}" "${isa}" "\"${joined}\"")
endforeach()
set(record "{}")
foreach(pair IN ITEMS "rooftop|${ROOFTOP_VERSION}" "build_type|${CMAKE_BUILD_TYPE}" "compiler|${CMAKE_CXX_COMPILER_ID}"
                      "compiler_version|${CMAKE_CXX_COMPILER_VERSION}" "compiler_path|${CMAKE_CXX_COMPILER}"
                      "flags|${flags}" "openmp_flags|${OpenMP_CXX_FLAGS}" "openmp_version|${OpenMP_CXX_VERSION}"
                      "sanitize|${ROOFTOP_SANITIZE}" "processor|${CMAKE_SYSTEM_PROCESSOR}" "system|${CMAKE_SYSTEM}"
                      "cmake|${CMAKE_VERSION}" "tests_missing|${ROOFTOP_TESTS_MISSING}" "source|${CMAKE_SOURCE_DIR}")
  string(REGEX MATCH "^([^|]*)\\|(.*)$" matched "${pair}")
  set(key "${CMAKE_MATCH_1}")
  string(REPLACE "\\" "\\\\" value "${CMAKE_MATCH_2}")
  string(REPLACE "\"" "\\\"" value "${value}")
  string(JSON record SET "${record}" "${key}" "\"${value}\"")
endforeach()
string(JSON record SET "${record}" isa_flags "${isa_flags}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/build.json CONTENT "@record@\n" @ONLY)
