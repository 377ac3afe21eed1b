// opencl.cpp: opens drivers, finds their platforms and names their errors.
#include "isthmus/opencl_driver/opencl.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>

#include "isthmus/base/error.h"
#include "isthmus/base/words.h"
#include "isthmus/opencl_driver/find_drivers.h"
#include "isthmus/runtime/devices/once.h"
#include "isthmus/runtime/memory/readable.h"

namespace isthmus::driver {

using detail::format;

namespace {

/// The first functions of a table, by which one is told from another.
constexpr std::size_t table_start = 8 * sizeof(void*);

struct Found {
  std::vector<const Platform*> platforms;
  std::string reasons;  ///< Of files that gave none.
};

template <class F>
F extension(const Api& api, cl_platform_id platform, const char* name) {
  return reinterpret_cast<F>(
      call(name, [&] { return api.clGetExtensionFunctionAddressForPlatform(platform, name); }));
}

Usm find_usm(const Api& api, cl_platform_id platform) {
  Usm usm;
  const auto extensions =
      ask_text("clGetPlatformInfo", api.clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS);
  if (extensions.find("cl_intel_unified_shared_memory") == std::string::npos) return usm;
  const auto find = [&]<class F>(F& function, const char* name) {
    function = extension<F>(api, platform, name);
  };
  find(usm.allocate_host, "clHostMemAllocINTEL");
  find(usm.allocate_device, "clDeviceMemAllocINTEL");
  find(usm.allocate_shared, "clSharedMemAllocINTEL");
  find(usm.free, "clMemBlockingFreeINTEL");
  find(usm.query, "clGetMemAllocInfoINTEL");
  find(usm.set_argument, "clSetKernelArgMemPointerINTEL");
  find(usm.copy, "clEnqueueMemcpyINTEL");
  const bool is_whole = usm.allocate_host && usm.allocate_device && usm.allocate_shared &&
                        usm.free && usm.query && usm.set_argument && usm.copy;
  return is_whole ? usm : Usm{};
}

void note(Found& found, const std::string& file, std::string_view reason) {
  found.reasons += format("{}{}: {}", found.reasons.empty() ? "" : "; ", file, reason);
}

void open(Found& found, const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return note(found, file, dlerror());
  const auto get = reinterpret_cast<clGetExtensionFunctionAddress_t*>(
      dlsym(library, "clGetExtensionFunctionAddress"));
  const auto list =
      get ? reinterpret_cast<clIcdGetPlatformIDsKHR_t*>(call(
                "clGetExtensionFunctionAddress", [&] { return get("clIcdGetPlatformIDsKHR"); }))
          : nullptr;
  if (!list) return note(found, file, "it is not an OpenCL driver");
  cl_uint count = 0;
  cl_int status = call("clIcdGetPlatformIDsKHR", [&] { return list(0, nullptr, &count); });
  std::vector<cl_platform_id> ids(count);
  if (status == CL_SUCCESS && count)
    status = call("clIcdGetPlatformIDsKHR", [&] { return list(count, ids.data(), nullptr); });
  if (status != CL_SUCCESS || !count)
    return note(found, file, format("it has no platform: {}", error_text(status)));
  for (const cl_platform_id id : ids) {
    const bool is_known =
        std::ranges::any_of(found.platforms, [&](const Platform* p) { return p->id == id; });
    if (is_known) continue;
    const Api& api = api_of(id);
    const auto text = [&](cl_platform_info what) {
      return ask_text("clGetPlatformInfo", api.clGetPlatformInfo, id, what);
    };
    found.platforms.push_back(new Platform{id, api, text(CL_PLATFORM_NAME),
                                           text(CL_PLATFORM_VERSION), file, find_usm(api, id)});
  }
}

struct Name {
  cl_int status;
  const char* text;
};
constexpr Name names[] = {
#define NAME(status) {status, #status}
    NAME(CL_SUCCESS),
    NAME(CL_DEVICE_NOT_FOUND),
    NAME(CL_DEVICE_NOT_AVAILABLE),
    NAME(CL_COMPILER_NOT_AVAILABLE),
    NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    NAME(CL_OUT_OF_RESOURCES),
    NAME(CL_OUT_OF_HOST_MEMORY),
    NAME(CL_MEM_COPY_OVERLAP),
    NAME(CL_BUILD_PROGRAM_FAILURE),
    NAME(CL_MAP_FAILURE),
    NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    NAME(CL_INVALID_VALUE),
    NAME(CL_INVALID_PLATFORM),
    NAME(CL_INVALID_DEVICE),
    NAME(CL_INVALID_CONTEXT),
    NAME(CL_INVALID_QUEUE_PROPERTIES),
    NAME(CL_INVALID_COMMAND_QUEUE),
    NAME(CL_INVALID_HOST_PTR),
    NAME(CL_INVALID_MEM_OBJECT),
    NAME(CL_INVALID_BINARY),
    NAME(CL_INVALID_BUILD_OPTIONS),
    NAME(CL_INVALID_PROGRAM),
    NAME(CL_INVALID_PROGRAM_EXECUTABLE),
    NAME(CL_INVALID_KERNEL_NAME),
    NAME(CL_INVALID_KERNEL),
    NAME(CL_INVALID_ARG_INDEX),
    NAME(CL_INVALID_ARG_VALUE),
    NAME(CL_INVALID_ARG_SIZE),
    NAME(CL_INVALID_KERNEL_ARGS),
    NAME(CL_INVALID_WORK_DIMENSION),
    NAME(CL_INVALID_WORK_GROUP_SIZE),
    NAME(CL_INVALID_WORK_ITEM_SIZE),
    NAME(CL_INVALID_EVENT_WAIT_LIST),
    NAME(CL_INVALID_EVENT),
    NAME(CL_INVALID_OPERATION),
    NAME(CL_INVALID_BUFFER_SIZE),
    NAME(CL_INVALID_GLOBAL_WORK_SIZE),
    NAME(CL_INVALID_PROPERTY),
#undef NAME
};

}  // namespace

const std::vector<const Platform*>& platforms() {
  static auto& once = *new Once<Found>;
  const Found& found = once.get([] {
    auto made = std::make_unique<Found>();
    for (const std::string& file : driver_files()) try {
        open(*made, file);
      } catch (const Error& error) {
        if (is_orphaned()) throw;
        note(*made, file, error.what());  // a broken driver does not hide the others
      }
    return made;
  });
  check(!found.platforms.empty(), Errc::backend_unavailable, "there is no OpenCL driver; {} ({})",
        words().find_opencl, found.reasons);
  return found.platforms;
}

const Platform& platform_of(cl_device_id device) {
  check(device != nullptr, Errc::exchange, "0 is not an OpenCL device");
  const Api& api = api_of(device);
  const auto id = ask<cl_platform_id>("clGetDeviceInfo", api.clGetDeviceInfo, device,
                                      static_cast<cl_device_info>(CL_DEVICE_PLATFORM));
  for (const Platform* platform : platforms())
    if (platform->id == id) return *platform;
  fail(Errc::exchange, "the OpenCL device is of platform '{}', which this library did not find",
       ask_text("clGetPlatformInfo", api.clGetPlatformInfo, id, CL_PLATFORM_NAME));
}

bool is_handle(std::uintptr_t handle) {
  const auto* const* object = reinterpret_cast<const Api* const*>(handle);
  if (!is_readable(object, sizeof *object) || !is_readable(*object, table_start)) return false;
  return std::ranges::any_of(platforms(), [&](const Platform* platform) {
    return !std::memcmp(*object, &platform->api, table_start);
  });
}

void check_handle(const char* what, std::uintptr_t handle) {
  check(is_handle(handle), Errc::exchange, "{} is not {} of any OpenCL driver here",
        reinterpret_cast<const void*>(handle), what);
}

std::string error_text(cl_int status) {
  const auto found = std::ranges::find(names, status, &Name::status);
  return format("{} ({})", found != std::end(names) ? found->text : "an unknown error", status);
}

void fail_with(const char* name, cl_int status) {
  const bool is_memory = status == CL_OUT_OF_HOST_MEMORY || status == CL_OUT_OF_RESOURCES ||
                         status == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                         status == CL_INVALID_BUFFER_SIZE;
  fail(is_memory ? Errc::out_of_memory : Errc::launch, "{}: {}", name, error_text(status));
}

}  // namespace isthmus::driver
