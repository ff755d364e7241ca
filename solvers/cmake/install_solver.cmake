# rooftop_install_solver(NAME C_TARGET CXX_TARGET HEADERS FINDS): what `find_package(rooftop COMPONENTS NAME)` needs.
# The C++ library and the C library are exported apart, so that a C project need not enable C++. C_TARGET may be "", and so may
# FINDS, the file that finds what the C++ library needs besides.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

function(rooftop_install_solver name c_target cxx_target headers finds)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/rooftop)
  set(component rooftop_${name})
  foreach(kind IN ITEMS c cxx)
    if(NOT ${kind}_target)
      continue()
    endif()
    install(TARGETS ${${kind}_target} EXPORT rooftop-${name}-${kind}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
    install(EXPORT rooftop-${name}-${kind} NAMESPACE rooftop:: DESTINATION ${package} COMPONENT ${component})
  endforeach()
  install(DIRECTORY ${headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${component})

  set(module ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  configure_package_config_file(${module}/rooftopConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/rooftopConfig.cmake
    INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/rooftopConfigVersion.cmake
    VERSION ${CMAKE_PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  install(FILES ${module}/find_highway.cmake ${CMAKE_CURRENT_BINARY_DIR}/rooftopConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/rooftopConfigVersion.cmake DESTINATION ${package} COMPONENT ${component})
  if(finds)
    install(FILES ${finds} DESTINATION ${package} COMPONENT ${component} RENAME rooftop-${name}-needs.cmake)
  endif()
endfunction()
