// devices.h: which devices there are, and why others are not.
#pragma once

#include <string>
#include <vector>

#include "isthmus/core/device.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A backend that is not to be had, and why.
struct Absence {
  std::string backend;  ///< Its name.
  std::string reason;   ///< A sentence.
};
/// Devices of all listed backends, and the backends that gave none. Opens drivers.
struct Devices {
  std::vector<Device> devices;    ///< Ready to be used.
  std::vector<Absence> absences;  ///< The other backends.
};
/// Looks for both.
ISTHMUS_EXPORT Devices find_devices();
/// The devices alone.
ISTHMUS_EXPORT std::vector<Device> devices();

}  // namespace isthmus::inline ISTHMUS_ABI
