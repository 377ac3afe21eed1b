// devices.cpp: where users' kernels run.
#include "isthmus/kernels/devices.h"

#include <algorithm>

#include "isthmus/exchange/share.h"
#include "isthmus/runtime/devices/registry.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// `needs` says whose arrays of cpu need it.
static Device device_for_host(std::string_view who, std::string_view needs) {
  std::string reason = "no available device can";
  if (has_backend("opencl")) try {
      Backend& opencl = backend("opencl");
      for (int i = 0; i < opencl.device_count(); ++i)
        if (opencl.describe(i).has_system_memory) return Device("opencl", i);
    } catch (const Error& error) {
      if (error.code() != Errc::backend_unavailable) throw;
      reason = error.what();
    }
  fail(Errc::unsupported,
       "kernel '{}': {} an OpenCL device that can access host memory, such as that of Intel's "
       "runtime for CPUs: {}",
       who, needs, reason);
}

static Device compiling_device(std::string_view who, const Device& device, std::string_view needs) {
  const Device found = device.is_host() ? device_for_host(who, needs) : device;
  check(backend(found).traits(found.index()).dialect == Dialect::opencl_c, Errc::unsupported,
        "kernel '{}': {} does not run user kernels", who, found);
  return found;
}

Device kernel_device(std::string_view who, const Device& device) {
  return compiling_device(who, device, "arrays of cpu need");
}

Device function_device(std::string_view who, const Device& device,
                       std::span<const UserFunctionRef> functions) {
  const Traits& traits = backend(device).traits(device.index());
  const auto is_known = [&](const UserFunctionRef& function) {
    return function->steps && (traits.has_fp64 || !function->steps->has_fp64);
  };
  if (functions.empty()) return kernel_device(who, device);
  if (std::ranges::all_of(functions, is_known)) return device;
  return compiling_device(
      who, device,
      "its code is more than the plain arithmetic that cpu runs by itself, so arrays of cpu need");
}

Array on_kernel_device(std::string_view who, const Array& x, const Device& device) {
  auto shared = share_on(x, device);
  check(shared.has_value(), Errc::unsupported,
        "kernel '{}': {} cannot access the memory of an array of {}; copy it with to_device", who,
        device, x.device());
  return std::move(*shared);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
