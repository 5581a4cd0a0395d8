# cmake --install: program, library, its public headers, CMake package, man page, completion, documents, examples.

include(CMakePackageConfigHelpers)
set(ws_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpseed)

install(TARGETS warpseed_app RUNTIME)
install(TARGETS warpseed EXPORT warpseedTargets ARCHIVE)
install(DIRECTORY src/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT warpseedTargets NAMESPACE warpseed:: DESTINATION ${ws_package_dir})
install(FILES share/man/warpseed.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES share/completions/warpseed.bash RENAME warpseed
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY share/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/warpseed)
install(DIRECTORY share/doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY share/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(share/cmake/warpseedConfig.cmake.in
  ${CMAKE_BINARY_DIR}/warpseedConfig.cmake INSTALL_DESTINATION ${ws_package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warpseedConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/warpseedConfig.cmake ${CMAKE_BINARY_DIR}/warpseedConfigVersion.cmake
  DESTINATION ${ws_package_dir})
