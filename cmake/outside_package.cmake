# BUILD/RooftopBenchConfig.cmake: with it an experiment outside the tree is built against this build, by
# find_package(RooftopBench) with RooftopBench_DIR=BUILD. It links the libraries as they lie here, and nothing is copied.
set(mpi_mains "")
if(TARGET rooftop_driver_mpi_main)
  set(mpi_mains rooftop_driver_mpi_main rooftop_lab_driver_mpi)
endif()
export(TARGETS rooftop_rung rooftop_native rooftop_driver rooftop_driver_main rooftop_lab_driver ${mpi_mains} FILE ${CMAKE_BINARY_DIR}/RooftopBenchTargets.cmake)

# A need names a solver's library as the tree does; what is exported may have another name.
get_property(solvers GLOBAL PROPERTY ROOFTOP_SOLVERS)
set(solver_targets "")
if(solvers)
  export(TARGETS ${solvers} NAMESPACE rooftop:: FILE ${CMAKE_BINARY_DIR}/RooftopBenchSolvers.cmake)
  get_property(finds GLOBAL PROPERTY ROOFTOP_SOLVER_FINDS)
  foreach(file IN ITEMS ${CMAKE_SOURCE_DIR}/solvers/cmake/find_highway.cmake ${finds})
    file(RELATIVE_PATH in_tree ${CMAKE_SOURCE_DIR} ${file})
    string(APPEND solver_targets "include(\"\${ROOFTOP_TREE}/${in_tree}\")\n")
  endforeach()
  string(APPEND solver_targets "include(\"\${CMAKE_CURRENT_LIST_DIR}/RooftopBenchSolvers.cmake\")\n")
  foreach(solver IN LISTS solvers)
    get_target_property(exported ${solver} EXPORT_NAME)
    if(NOT exported)
      set(exported ${solver})
    endif()
    string(APPEND solver_targets "add_library(${solver} ALIAS rooftop::${exported})\n")
  endforeach()
endif()

configure_file(${CMAKE_CURRENT_LIST_DIR}/RooftopBenchConfig.cmake.in ${CMAKE_BINARY_DIR}/RooftopBenchConfig.cmake @ONLY)
