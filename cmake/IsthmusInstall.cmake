# Install rules. In a wheel everything stands in the Python package, else under lib and include.
include(CMakePackageConfigHelpers)
install(TARGETS isthmus EXPORT isthmus LIBRARY DESTINATION ${ISTHMUS_INSTALL_LIB}
        INCLUDES DESTINATION ${ISTHMUS_INSTALL_INCLUDE})
install(DIRECTORY isthmus DESTINATION ${ISTHMUS_INSTALL_INCLUDE}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.inc"
        PATTERN backend EXCLUDE PATTERN driver EXCLUDE PATTERN host EXCLUDE)

# One spelling of these file names serves find_package(Isthmus) and find_package(isthmus).
set(package_dir ${ISTHMUS_INSTALL_ROOT}lib/cmake/Isthmus)
configure_package_config_file(cmake/isthmus-config.cmake.in
  ${CMAKE_BINARY_DIR}/generated/isthmus-config.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/isthmus-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/isthmus-config.cmake
              ${CMAKE_BINARY_DIR}/generated/isthmus-config-version.cmake
        DESTINATION ${package_dir})
install(EXPORT isthmus NAMESPACE isthmus:: FILE isthmus-targets.cmake DESTINATION ${package_dir})

set(pc_dir ${ISTHMUS_INSTALL_ROOT}lib/pkgconfig)
file(RELATIVE_PATH pc_prefix /${pc_dir} /)
file(RELATIVE_PATH pc_lib /${pc_dir} /${ISTHMUS_INSTALL_LIB})
file(RELATIVE_PATH pc_include /${pc_dir} /${ISTHMUS_INSTALL_INCLUDE})
configure_file(cmake/isthmus.pc.in ${CMAKE_BINARY_DIR}/generated/isthmus.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/isthmus.pc DESTINATION ${pc_dir})
