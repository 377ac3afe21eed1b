// registry.h: finds backends and their devices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/devices/devices.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The backend of that name, loaded when it is first asked for. Throws backend_unavailable with
/// the reason: no such module, another interface version, or what its driver said.
ISTHMUS_EXPORT Backend& backend(std::string_view name);
ISTHMUS_EXPORT Backend& backend(const Device& device);
template <TextLike T>  // not as the device of that name
Backend& backend(const T& name) {
  return backend(std::string_view(name));
}

/// Names of the backends for users, whose modules lie beside the library.
ISTHMUS_EXPORT std::vector<std::string> backend_names();
/// Whether there is such a module, for users or for tests.
ISTHMUS_EXPORT bool has_backend(std::string_view name);
/// ISTHMUS_BACKENDS="cpu,opencl" leaves the others out; cpu is always there. What is named there
/// and is no backend is warned of.
ISTHMUS_EXPORT bool is_backend_wanted(std::string_view name);
/// A host language's scopes, such as Python's `with device:`, for default_device(). Asked on any
/// thread; nothing: no scope says.
using DeviceHook = std::optional<Device> (*)();
ISTHMUS_EXPORT void set_device_hook(DeviceHook hook);

}  // namespace isthmus::inline ISTHMUS_ABI
