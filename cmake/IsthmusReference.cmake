# The target `reference`: Doxygen's pages of the public headers, <build>/reference/index.html. It
# fails if a public name has no comment.
find_program(ISTHMUS_DOXYGEN doxygen DOC "Makes the reference of the C++ API")
mark_as_advanced(ISTHMUS_DOXYGEN)
if(NOT ISTHMUS_DOXYGEN)
  return()
endif()
set(headers ${ISTHMUS_PUBLIC_HEADERS} ${ISTHMUS_GENERATED_HEADERS})
list(FILTER headers INCLUDE REGEX "\\.h$")
list(TRANSFORM headers PREPEND ${ISTHMUS_PACKAGE_DIR}/include/isthmus/)
list(JOIN headers " " headers)
configure_file(cmake/Doxyfile.in ${CMAKE_BINARY_DIR}/generated/Doxyfile @ONLY)
add_custom_target(reference
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${CMAKE_BINARY_DIR}/reference
  COMMAND ${ISTHMUS_DOXYGEN} ${CMAKE_BINARY_DIR}/generated/Doxyfile
  COMMAND ${CMAKE_COMMAND} -E echo "${CMAKE_BINARY_DIR}/reference/index.html" VERBATIM)
