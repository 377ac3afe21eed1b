// devices.h: the available devices, and why others are missing.
#pragma once

#include <string>
#include <vector>

#include "isthmus/core/device.h"

namespace isthmus::inline ISTHMUS_ABI {

/// An unavailable backend, and the reason.
struct Absence {
  std::string backend;  ///< Its name.
  std::string reason;   ///< A sentence.
};
/// Devices of all listed backends, and the backends without devices. Opens drivers.
struct Devices {
  std::vector<Device> devices;    ///< Ready to be used.
  std::vector<Absence> absences;  ///< The other backends.
};
/// Finds the devices and the missing backends.
ISTHMUS_EXPORT Devices find_devices();
/// Finds only the devices.
ISTHMUS_EXPORT std::vector<Device> devices();

}  // namespace isthmus::inline ISTHMUS_ABI
