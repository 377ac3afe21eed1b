# The version, which is written down in isthmus/version.h and nowhere else: pyproject.toml reads it
# there too.
#   ISTHMUS_VERSION   "0.1.0"
#   ISTHMUS_ABI       what libisthmus.so.<ABI> is named by. Programs work with every version of one
#                     ABI: by Semantic Versioning those of one minor version before 1.0, and of one
#                     major version from there on.
set(version_header ${CMAKE_CURRENT_LIST_DIR}/../isthmus/version.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
file(STRINGS ${version_header} lines REGEX "^#define ISTHMUS_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM lines REPLACE "^.* " "")
list(LENGTH lines count)
if(NOT count EQUAL 3)
  message(FATAL_ERROR "isthmus/version.h: there are ${count} lines of a version; 3 are needed")
endif()
list(JOIN lines "." ISTHMUS_VERSION)
list(GET lines 0 ISTHMUS_ABI)
set(ISTHMUS_COMPATIBILITY SameMajorVersion)
if(ISTHMUS_ABI EQUAL 0)
  list(GET lines 1 minor)
  set(ISTHMUS_ABI 0.${minor})
  set(ISTHMUS_COMPATIBILITY SameMinorVersion)
endif()
