// devices.h: which devices there are, and why others are not.
#pragma once

#include <string>
#include <vector>

#include "isthmus/core/device.h"

namespace isthmus {

/// A backend that is not to be had, and why.
struct Absence {
  std::string backend;
  std::string reason;
};
/// Devices of all listed backends, and the backends that gave none. Opens drivers.
struct Devices {
  std::vector<Device> devices;
  std::vector<Absence> absences;
};
ISTHMUS_EXPORT Devices find_devices();
/// The devices alone.
ISTHMUS_EXPORT std::vector<Device> devices();

}  // namespace isthmus
