# The driver layer: what the backends on OpenCL share, linked into each. Its headers are those of
# the Python package intel-sycl-rt, or the system's.
if(Python_EXECUTABLE)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c "
import importlib.metadata as m
print(*(f.locate().resolve().parent.parent for f in m.files('intel-sycl-rt') or []
        if str(f).endswith('include/CL/cl_icd.h')))"
    OUTPUT_VARIABLE vendor_include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
find_path(ISTHMUS_OPENCL_INCLUDE CL/cl_icd.h HINTS ${vendor_include})
if(NOT ISTHMUS_OPENCL_INCLUDE)
  set(ISTHMUS_DRIVER_MISSING "CL/cl_icd.h was not found (pip install intel-sycl-rt)")
  return()
endif()
file(GLOB driver_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/isthmus/opencl_driver/*.cpp)
add_library(isthmus_driver STATIC ${driver_sources})
target_include_directories(isthmus_driver SYSTEM PUBLIC ${ISTHMUS_OPENCL_INCLUDE})
target_link_libraries(isthmus_driver PUBLIC isthmus isthmus_flags)
