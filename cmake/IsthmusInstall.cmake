# Install rules; IsthmusPlaces.cmake says where.
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/IsthmusHeaders.cmake)
if(SKBUILD)
  set(namelink NAMELINK_SKIP)
endif()
install(TARGETS isthmus EXPORT isthmus LIBRARY DESTINATION ${ISTHMUS_INSTALL_LIB} ${namelink}
        INCLUDES DESTINATION ${ISTHMUS_INSTALL_INCLUDE})
if(SKBUILD)
  file(WRITE ${CMAKE_BINARY_DIR}/generated/libisthmus.so "INPUT(libisthmus.so.${ISTHMUS_ABI})\n")
  install(FILES ${CMAKE_BINARY_DIR}/generated/libisthmus.so DESTINATION ${ISTHMUS_INSTALL_LIB})
endif()
if(ISTHMUS_SHIPPED_TBB)
  install(FILES ${ISTHMUS_SHIPPED_TBB} DESTINATION ${ISTHMUS_INSTALL_OWN}
          RENAME ${ISTHMUS_SHIPPED_TBB_NAME})
endif()
# In the build tree the same headers are links.
file(REMOVE_RECURSE ${ISTHMUS_PACKAGE_DIR}/include)
foreach(header IN LISTS ISTHMUS_PUBLIC_HEADERS ISTHMUS_GENERATED_HEADERS)
  set(file ${CMAKE_SOURCE_DIR}/isthmus/${header})
  if(header IN_LIST ISTHMUS_GENERATED_HEADERS)
    set(file ${ISTHMUS_GENERATED}/isthmus/${header})
  endif()
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${file} DESTINATION ${ISTHMUS_INSTALL_INCLUDE}/isthmus/${folder})
  file(MAKE_DIRECTORY ${ISTHMUS_PACKAGE_DIR}/include/isthmus/${folder})
  file(CREATE_LINK ${file} ${ISTHMUS_PACKAGE_DIR}/include/isthmus/${header} SYMBOLIC)
endforeach()
# For authors of backends: `cmake --install <build> --component internals`. See docs/adding.md.
install(DIRECTORY isthmus ${ISTHMUS_GENERATED}/isthmus
        DESTINATION ${ISTHMUS_INSTALL_INCLUDE}/isthmus-internals
        COMPONENT internals EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.inc"
        PATTERN backend EXCLUDE PATTERN opencl_driver EXCLUDE PATTERN host EXCLUDE)

# One spelling of these file names serves find_package(Isthmus) and find_package(isthmus).
set(package_dir ${ISTHMUS_INSTALL_CONFIG}/cmake/Isthmus)
configure_package_config_file(cmake/isthmus-config.cmake.in
  ${CMAKE_BINARY_DIR}/generated/isthmus-config.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/isthmus-config-version.cmake
  COMPATIBILITY ${ISTHMUS_COMPATIBILITY})
install(FILES ${CMAKE_BINARY_DIR}/generated/isthmus-config.cmake
              ${CMAKE_BINARY_DIR}/generated/isthmus-config-version.cmake
        DESTINATION ${package_dir})
install(EXPORT isthmus NAMESPACE isthmus:: FILE isthmus-targets.cmake DESTINATION ${package_dir})

# isthmus.pc names all from its own folder. What the library itself links is of no concern to
# programs, since there is no static one.
set(pc_dir ${ISTHMUS_INSTALL_CONFIG}/pkgconfig)
file(RELATIVE_PATH pc_prefix /${pc_dir} /)
file(RELATIVE_PATH pc_lib /${pc_dir} /${ISTHMUS_INSTALL_LIB})
file(RELATIVE_PATH pc_include /${pc_dir} /${ISTHMUS_INSTALL_INCLUDE})
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
string(REGEX REPLACE "/$" "" pc_lib "${pc_lib}")
configure_file(cmake/isthmus.pc.in ${CMAKE_BINARY_DIR}/generated/isthmus.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/isthmus.pc DESTINATION ${pc_dir})

# The package of the build tree serves C++ as an installed one does: the same folders, with targets
# that name this tree.
if(NOT SKBUILD)
  set(tree ${ISTHMUS_PACKAGE_DIR}/lib)
  export(EXPORT isthmus NAMESPACE isthmus:: FILE ${tree}/cmake/Isthmus/isthmus-targets.cmake)
  configure_package_config_file(cmake/isthmus-config.cmake.in
    ${tree}/cmake/Isthmus/isthmus-config.cmake INSTALL_DESTINATION ${tree}/cmake/Isthmus
    NO_SET_AND_CHECK_MACRO)
  file(COPY ${CMAKE_BINARY_DIR}/generated/isthmus-config-version.cmake
       DESTINATION ${tree}/cmake/Isthmus)
  set(pc_prefix ../..)
  set(pc_lib ../..)
  set(pc_include ../../include)
  configure_file(cmake/isthmus.pc.in ${tree}/pkgconfig/isthmus.pc @ONLY)
endif()
