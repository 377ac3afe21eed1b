// dump.h: kernels as files for people to read: ISTHMUS_DUMP.
#pragma once

#include <string>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The folder of ISTHMUS_DUMP; empty: nothing is written.
ISTHMUS_EXPORT std::string dump_folder();
/// Writes <device>-<key>.cl and .bin there, what is not empty. A folder that cannot be written to
/// is told of, and no error.
void dump_kernel(std::string_view device, std::string_view key, std::string_view source,
                 std::string_view binary);

}  // namespace isthmus::inline ISTHMUS_ABI
