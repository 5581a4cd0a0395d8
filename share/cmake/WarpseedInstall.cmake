# cmake --install: program, library, headers, CMake package, man page.

include(CMakePackageConfigHelpers)
set(ws_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpseed)

install(TARGETS warpseed_app RUNTIME)
install(TARGETS warpseed EXPORT warpseedTargets ARCHIVE)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpseed FILES_MATCHING PATTERN "*.hpp")
install(EXPORT warpseedTargets NAMESPACE warpseed:: DESTINATION ${ws_package_dir})
install(FILES share/man/warpseed.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

configure_package_config_file(share/cmake/warpseedConfig.cmake.in
  ${CMAKE_BINARY_DIR}/warpseedConfig.cmake INSTALL_DESTINATION ${ws_package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warpseedConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/warpseedConfig.cmake ${CMAKE_BINARY_DIR}/warpseedConfigVersion.cmake
  DESTINATION ${ws_package_dir})
