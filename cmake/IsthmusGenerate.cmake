# isthmus_list(): writes one MACRO(stem) line per source file of a folder, so that adding a file is
# the whole change. Sets `sources` in the caller to the files.
function(isthmus_list macro folder output sources)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(lines "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM stem)
    string(APPEND lines "${macro}(${stem})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${lines}" @ONLY)
  set(${sources} ${files} PARENT_SCOPE)
endfunction()
