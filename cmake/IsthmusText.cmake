# isthmus_text(): puts files of C text into a source file as string constants named by their stems,
# so that kernels are printed from the very text that the host executor is compiled from.
function(isthmus_text output)
  set(text "// Generated from .inc files; do not edit.\n#include <string_view>\n\nnamespace isthmus::text {\n")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file STEM stem)
    file(READ ${file} content)
    string(APPEND text "extern const std::string_view ${stem};\n"
           "const std::string_view ${stem} = R\"isthmus(${content})isthmus\";\n")
  endforeach()
  string(APPEND text "}  // namespace isthmus::text\n")
  file(GENERATE OUTPUT ${output} CONTENT "${text}")
endfunction()
