// device.cpp: interned names of backends.
#include "isthmus/core/device.h"

#include "isthmus/base/format.h"
#include "isthmus/base/interned.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

const char Device::host_name[] = "cpu";

static const char* intern(std::string_view name, const char* host_name) {
  if (name == host_name) return host_name;
  static auto& names = *new Interned<std::string>;  // leaked: devices outlive static teardown
  return names.find(name).c_str();
}

Device::Device(std::string_view backend, int index)
    : backend_(intern(backend, host_name)), index_(index) {}

std::string to_string(const Device& device) {
  if (device.is_host()) return "cpu";
  return format("{}:{}", device.backend(), device.index());
}

}  // namespace isthmus::inline ISTHMUS_ABI
