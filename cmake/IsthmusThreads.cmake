# Threads of executor.h: oneTBB where its CMake package is, that of the Python package tbb-devel
# included; else the library's own pool. CMAKE_DISABLE_FIND_PACKAGE_TBB=ON asks for the pool.
find_package(Threads REQUIRED)
target_link_libraries(isthmus PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
if(Python_EXECUTABLE)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c "
import importlib.metadata as m
files = m.files('tbb-devel') or []
print(*(f.locate().resolve().parent for f in files if f.name == 'TBBConfig.cmake'))"
    OUTPUT_VARIABLE tbb_hint OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
find_package(TBB CONFIG QUIET HINTS ${tbb_hint})
if(TBB_FOUND)
  target_link_libraries(isthmus PRIVATE TBB::tbb)
  target_compile_definitions(isthmus PRIVATE ISTHMUS_TBB)
  # A wheel does not bring libtbb: the tbb wheel puts it three folders above the package, in
  # <prefix>/lib. Any other installation uses the system's, or brings the one that was found here:
  # an environment that it came from may go.
  if(SKBUILD)
    set_target_properties(isthmus PROPERTIES INSTALL_RPATH "$ORIGIN/../../..")
  else()
    string(TOUPPER ${CMAKE_BUILD_TYPE} config)
    foreach(suffix IN ITEMS _${config} _RELEASE _NONE "")
      get_target_property(tbb_file TBB::tbb IMPORTED_LOCATION${suffix})
      get_target_property(tbb_name TBB::tbb IMPORTED_SONAME${suffix})
      if(tbb_file)
        break()
      endif()
    endforeach()
    cmake_path(GET tbb_file PARENT_PATH tbb_folder)
    cmake_path(GET tbb_file FILENAME tbb_file_name)
    if(NOT tbb_folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      file(REAL_PATH ${tbb_file} ISTHMUS_SHIPPED_TBB)
      set(ISTHMUS_SHIPPED_TBB_NAME $<IF:$<BOOL:${tbb_name}>,${tbb_name},${tbb_file_name}>)
      set_target_properties(isthmus PROPERTIES INSTALL_RPATH "$ORIGIN/${ISTHMUS_LIB_TO_OWN}")
    endif()
  endif()
  isthmus_note(NOTE "threads      oneTBB ${TBB_VERSION}")
else()
  isthmus_note(NOTE "threads      std::jthread")
endif()
