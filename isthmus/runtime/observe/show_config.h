// show_config.h: a readable description of this installation.
#pragma once

#include <string>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The version, the devices and why others are missing, the number of threads, the kernel cache,
/// and the ISTHMUS_* variables that are set, one per line. Opens the drivers.
ISTHMUS_EXPORT std::string show_config();

}  // namespace isthmus::inline ISTHMUS_ABI
