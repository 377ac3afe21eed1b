# isthmus_backend(): a folder of isthmus/backend/ becomes a loadable module, backends/<name>.so
# beside libisthmus.so (lib/isthmus/backends/ of an installation).
#
#   isthmus_backend(<name> [UNLISTED] [SOURCES ...] [LIBRARIES ...] [MISSING <variable>])
#
# UNLISTED is for tests: backends/unlisted/<name>.so, which no list names and no package has.
# SOURCES defaults to every .cpp of the folder. A folder that did not find what it needs says so in
# the variable MISSING (an empty text, or no variable, is no reason). ISTHMUS_<NAME> is AUTO (skip if something is missing), ON (then
# missing is an error) or OFF.
function(isthmus_backend name)
  cmake_parse_arguments(PARSE_ARGV 1 given "UNLISTED" "MISSING" "SOURCES;LIBRARIES")
  set(missing "")
  if(given_MISSING)
    set(missing "${${given_MISSING}}")
  endif()
  string(TOUPPER ${name} upper)
  set(option ISTHMUS_${upper})
  set(${option} AUTO CACHE STRING "Build the ${name} backend: AUTO, ON or OFF")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  if(NOT ${option} STREQUAL "AUTO" AND NOT ${option})
    isthmus_note(SKIPPED "${name}: ${option} is ${${option}}")
    return()
  elseif(missing AND NOT ${option} STREQUAL "AUTO")
    message(FATAL_ERROR "${option} is ${${option}}, but ${missing}")
  elseif(missing)
    isthmus_note(SKIPPED "${name}: ${missing}")
    return()
  endif()

  if(NOT given_SOURCES)
    file(GLOB given_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  add_library(backend_${name} MODULE ${given_SOURCES})
  target_link_libraries(backend_${name} PRIVATE isthmus isthmus_flags ${given_LIBRARIES})
  set_target_properties(backend_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name})
  add_dependencies(backends backend_${name})
  if(given_UNLISTED)
    set_target_properties(backend_${name} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY ${ISTHMUS_PACKAGE_DIR}/backends/unlisted)
    return()
  endif()
  set_target_properties(backend_${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${ISTHMUS_PACKAGE_DIR}/backends
    INSTALL_RPATH "$ORIGIN/${ISTHMUS_MODULES_TO_LIB}")
  install(TARGETS backend_${name} LIBRARY DESTINATION ${ISTHMUS_INSTALL_MODULES})
  isthmus_note(BUILT ${name})
endfunction()

# Remembers a line for the block that isthmus_summary() prints.
function(isthmus_note kind text)
  set_property(GLOBAL APPEND PROPERTY ISTHMUS_${kind} "${text}")
endfunction()

function(isthmus_summary)
  get_property(built GLOBAL PROPERTY ISTHMUS_BUILT)
  get_property(skipped GLOBAL PROPERTY ISTHMUS_SKIPPED)
  get_property(notes GLOBAL PROPERTY ISTHMUS_NOTE)
  list(JOIN built " " built)
  list(JOIN skipped "\n                 " skipped)
  message(STATUS "")
  message(STATUS "Isthmus ${PROJECT_VERSION}")
  message(STATUS "  compiler     ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}")
  message(STATUS "  backends     ${built}")
  if(skipped)
    message(STATUS "  skipped      ${skipped}")
  endif()
  foreach(note IN LISTS notes)
    message(STATUS "  ${note}")
  endforeach()
  message(STATUS "")
endfunction()
