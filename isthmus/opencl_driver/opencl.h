// opencl.h: OpenCL without a loader: every call goes through the table of the driver it concerns.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>

#include <string>
#include <vector>

#include "isthmus/core/memory.h"
#include "isthmus/runtime/kernels/compiling.h"

namespace isthmus::driver {

/// The driver's functions, as the ICD extension lays them out: the first word of every handle
/// points to this table.
using Api = cl_icd_dispatch;
template <class T>
const Api& api_of(T* handle) {
  return **reinterpret_cast<const Api* const*>(handle);
}

/// cl_intel_unified_shared_memory; all null where the platform has it not.
struct Usm {
  clHostMemAllocINTEL_fn allocate_host = nullptr;
  clDeviceMemAllocINTEL_fn allocate_device = nullptr;
  clSharedMemAllocINTEL_fn allocate_shared = nullptr;
  clMemBlockingFreeINTEL_fn free = nullptr;
  clGetMemAllocInfoINTEL_fn query = nullptr;
  clSetKernelArgMemPointerINTEL_fn set_argument = nullptr;
  clEnqueueMemcpyINTEL_fn copy = nullptr;
  explicit operator bool() const { return free != nullptr; }
};

/// One driver's platform. Never destroyed.
struct Platform {
  cl_platform_id id;
  const Api& api;
  std::string name, version, file;
  Usm usm;
};

/// The platforms of all drivers that are found (see find_drivers.h), in that order. Opens them when
/// it is first asked. Throws backend_unavailable, with what was tried, if there are none.
const std::vector<const Platform*>& platforms();
/// The platform that made a handle. Throws exchange if it is none of ours.
const Platform& platform_of(cl_device_id device);

/// Whether it is a handle of one of these drivers, of any kind.
bool is_handle(std::uintptr_t handle);
/// Throws exchange for what is no handle of one of these drivers; which kind it is of, its driver
/// must say. `what` is what it should be, as "a cl_command_queue".
void check_handle(const char* what, std::uintptr_t handle);

/// "CL_OUT_OF_RESOURCES (-5)".
std::string error_text(cl_int status);
/// Throws Error: "clFinish: CL_OUT_OF_RESOURCES (-5)".
[[noreturn]] void fail_with(const char* name, cl_int status);

/// Calls a function that returns a status. Throws what fail_with throws.
template <class F, class... A>
void invoke(const char* name, F* function, A... arguments) {
  const cl_int status = call(name, [&] { return function(arguments...); });
  if (status != CL_SUCCESS) [[unlikely]]
    fail_with(name, status);
}
/// The same of a function that may compile.
template <class F, class... A>
void invoke_compiler(const char* name, F* function, A... arguments) {
  const cl_int status = call_compiler(name, [&] { return function(arguments...); });
  if (status != CL_SUCCESS) [[unlikely]]
    fail_with(name, status);
}

/// Calls a function that returns a handle and, in its last parameter, a status.
template <class F, class... A>
auto make(const char* name, F* function, A... arguments) {
  cl_int status = CL_SUCCESS;
  auto* made = call(name, [&] { return function(arguments..., &status); });
  if (status != CL_SUCCESS || !made) [[unlikely]]
    fail_with(name, status);
  return made;
}

/// One fact of an object: ask<cl_uint>("clGetDeviceInfo", api.clGetDeviceInfo, device, name).
template <class T, class F, class Object, class Name>
T ask(const char* name, F* function, Object object, Name what) {
  T answer{};
  invoke(name, function, object, what, sizeof answer, static_cast<void*>(&answer), nullptr);
  return answer;
}
template <class F, class Object, class Name>
std::string ask_text(const char* name, F* function, Object object, Name what) {
  std::size_t bytes = 0;
  invoke(name, function, object, what, std::size_t{0}, nullptr, &bytes);
  std::string text(bytes, '\0');
  invoke(name, function, object, what, bytes, static_cast<void*>(text.data()), nullptr);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

}  // namespace isthmus::driver
