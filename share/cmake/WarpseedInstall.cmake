# cmake --install: the component `program` has the program, man page, completions, documents and demo; `development` the
# library, its public headers, CMake package and examples.

include(CMakePackageConfigHelpers)
set(ws_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpseed)

install(TARGETS warpseed_app RUNTIME COMPONENT program)
install(FILES share/man/warpseed.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES share/completions/warpseed.bash RENAME warpseed
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES share/completions/_warpseed DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES share/completions/warpseed.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT program)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY share/doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY share/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/warpseed COMPONENT program)
install(DIRECTORY share/multiqc DESTINATION ${CMAKE_INSTALL_DATADIR}/warpseed COMPONENT program
  PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
install(PROGRAMS share/demo.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/warpseed COMPONENT program)
install(DIRECTORY share/demo DESTINATION ${CMAKE_INSTALL_DATADIR}/warpseed COMPONENT program)
install(DIRECTORY share/workflow DESTINATION ${CMAKE_INSTALL_DATADIR}/warpseed COMPONENT program
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)

install(TARGETS warpseed EXPORT warpseedTargets ARCHIVE COMPONENT development)
install(DIRECTORY src/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT warpseedTargets NAMESPACE warpseed:: DESTINATION ${ws_package_dir} COMPONENT development)
install(DIRECTORY share/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
configure_package_config_file(share/cmake/warpseedConfig.cmake.in
  ${CMAKE_BINARY_DIR}/warpseedConfig.cmake INSTALL_DESTINATION ${ws_package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warpseedConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/warpseedConfig.cmake ${CMAKE_BINARY_DIR}/warpseedConfigVersion.cmake
  DESTINATION ${ws_package_dir} COMPONENT development)
