// show_config.h: what this installation is, for people to read.
#pragma once

#include <string>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The version, the devices and why others are missing, the number of threads, where kernels are
/// kept, and the variables ISTHMUS_* that are set: a line each. Opens the drivers.
ISTHMUS_EXPORT std::string show_config();

}  // namespace isthmus::inline ISTHMUS_ABI
