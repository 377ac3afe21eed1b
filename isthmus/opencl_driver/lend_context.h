// lend_context.h: how a backend above OpenCL lends its context to the backend that is OpenCL.
#pragma once

#include <CL/cl.h>

namespace isthmus::driver {

/// What Backend::library(0, lends_contexts) gives: the cl_context in which another API works on a
/// device, so that both share memory; null if it does not use that device. Never released.
inline constexpr const char* lends_contexts = "opencl.default_context";
struct LendsContexts {
  cl_context (*find)(cl_device_id device);
};

}  // namespace isthmus::driver
