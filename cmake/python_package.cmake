# What a Python package has of a build: the libraries that Python loads, those that are loaded before a program, the probes, and the
# rungs that call a solver, with their drivers: `rooftop solve` runs benchmarks by them. The target `python_package` builds them, and
# they are installed as component `package`, each where it lies in the build folder: the package's folder `built` is a build folder
# (src/rooftop/settings.py). Nothing of MPI is among them.
set(packaged "")
file(GLOB folders CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/solvers/[!_]*/CMakeLists.txt)
foreach(file IN LISTS folders)
  get_filename_component(folder ${file} DIRECTORY)
  rooftop_targets_below(${folder} own)
  list(APPEND packaged ${own})
endforeach()
rooftop_targets_below(${CMAKE_SOURCE_DIR}/native own)
list(APPEND packaged ${own})
get_property(own DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER own INCLUDE REGEX "^probes\\.")
list(REMOVE_ITEM own probes.tests)
list(APPEND packaged ${own})
get_property(own DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER own INCLUDE REGEX "^[^.]+\\.rungs\\.[0-9]+-solver$")
list(APPEND packaged ${own})
list(TRANSFORM own REPLACE "\\.rungs\\..*" ".driver")
list(APPEND packaged ${own})
list(FILTER packaged EXCLUDE REGEX "_mpi|^probes\\.ranks")

add_custom_target(python_package)
foreach(target IN LISTS packaged)
  get_target_property(type ${target} TYPE)
  set(name $<TARGET_FILE_NAME:${target}>)
  if(type STREQUAL "SHARED_LIBRARY")
    set(name $<TARGET_LINKER_FILE_NAME:${target}>)  # without its version: a wheel has no links
  elseif(NOT type STREQUAL "MODULE_LIBRARY" AND NOT target MATCHES "^probes\\.|\\.driver$")
    continue()
  endif()
  add_dependencies(python_package ${target})
  install(PROGRAMS $<TARGET_FILE:${target}> RENAME ${name} COMPONENT package EXCLUDE_FROM_ALL
    DESTINATION rooftop/built/$<PATH:RELATIVE_PATH,$<TARGET_FILE_DIR:${target}>,${CMAKE_BINARY_DIR}>)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/build.json DESTINATION rooftop/built COMPONENT package EXCLUDE_FROM_ALL)

# What is compiled elsewhere: the sources, but for tests and for the Python that the package has already.
set(left_out PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN ".*" EXCLUDE PATTERN build EXCLUDE)
install(FILES CMakeLists.txt CMakePresets.json DESTINATION rooftop/tree COMPONENT package EXCLUDE_FROM_ALL)
install(DIRECTORY cmake experiments native probes DESTINATION rooftop/tree COMPONENT package EXCLUDE_FROM_ALL ${left_out})
install(DIRECTORY solvers DESTINATION rooftop/tree COMPONENT package EXCLUDE_FROM_ALL ${left_out} PATTERN "*.py" EXCLUDE)
