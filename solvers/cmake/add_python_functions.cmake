# Functions of Python's own for a solver, where a call through ctypes takes longer than its work.

# rooftop_add_python_functions(NAME SOURCE…) makes librooftop_NAME_python.so beside the solver's shared library, by Python's
# stable interface, of whatever version from 3.11 on has headers here. It is handed the solver's functions, not linked
# with them. Nothing where there are no headers: Python then goes through ctypes.
function(rooftop_add_python_functions name)
  find_package(Python3 3.11 QUIET COMPONENTS Interpreter Development.Module)
  if(NOT TARGET rooftop_${name}_c OR NOT TARGET Python3::Module)
    return()
  endif()
  add_library(rooftop_${name}_python MODULE ${ARGN})
  target_include_directories(rooftop_${name}_python PRIVATE include ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../c_interface)
  target_link_libraries(rooftop_${name}_python PRIVATE Python3::Module)
  target_compile_options(rooftop_${name}_python PRIVATE -Wall -Wextra)
  set_target_properties(rooftop_${name}_python PROPERTIES C_VISIBILITY_PRESET hidden)
  add_dependencies(rooftop_${name}_c rooftop_${name}_python)
endfunction()
