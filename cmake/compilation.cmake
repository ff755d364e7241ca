# How everything that the bench measures is compiled, in its own tree and outside.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release unless something else is asked for" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-Wall -Wextra)

option(ROOFTOP_TESTS "Build the C++ tests" ON)
include(sanitizers)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(nlohmann_json 3.11 REQUIRED)
include(tests)
include(isa_flags)
include(needs)
# Here, where what it finds is known to all folders: drivers are linked with it too.
rooftop_resolve_need(MPI ROOFTOP_MPI ROOFTOP_MPI_MISSING)
include(modules)
include(experiment)

# All that the bench runs, without the tests.
add_custom_target(bench)
