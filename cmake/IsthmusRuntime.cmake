# The C++ runtime library must be linked dynamically: libisthmus.so, its backends, the Python module
# and the drivers that they load throw exceptions through each other. With a copy in each library
# every use of a driver is a segmentation fault.
set(probe ${CMAKE_BINARY_DIR}/generated/probe)
set(probe_flags "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS}")
if(NOT ISTHMUS_DYNAMIC_RUNTIME STREQUAL probe_flags)
  file(WRITE ${probe}.cpp "#include <string>\nvoid f(const std::string& s) { throw std::string(s + s); }\n")
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS}")
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -fPIC -shared ${probe}.cpp -o ${probe}.so ${flags}
    RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} does not link a shared library:\n${said}")
  endif()
  file(STRINGS ${probe}.so needed REGEX "^lib(std)?c\\+\\+\\.so")
  if(NOT needed)
    message(FATAL_ERROR
      "${CMAKE_CXX_COMPILER} links the C++ runtime library statically: a shared library that it made "
      "does not need libstdc++.so. Isthmus and the drivers that it loads must share one copy. "
      "Remove -static-libstdc++ from CXXFLAGS and LDFLAGS, or configure with a compiler that links "
      "it dynamically: CXX=/usr/bin/g++ cmake ...")
  endif()
  set(ISTHMUS_DYNAMIC_RUNTIME "${probe_flags}" CACHE INTERNAL "Flags that were seen to link so")
endif()
