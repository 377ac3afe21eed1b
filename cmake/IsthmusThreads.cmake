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
  # <prefix>/lib. Any other installation uses the one that was found here.
  if(SKBUILD)
    set_target_properties(isthmus PROPERTIES INSTALL_RPATH "$ORIGIN/../../..")
  else()
    set_target_properties(isthmus PROPERTIES INSTALL_RPATH "$<TARGET_FILE_DIR:TBB::tbb>")
  endif()
  isthmus_note(NOTE "threads      oneTBB ${TBB_VERSION}")
else()
  isthmus_note(NOTE "threads      std::jthread")
endif()
