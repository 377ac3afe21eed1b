// readable.h: addresses that users give.
#pragma once

#include <cstddef>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether this process may read `bytes` bytes there, asked of the kernel: reading them in vain
/// would end the process.
ISTHMUS_EXPORT bool is_readable(const void* address, std::size_t bytes) noexcept;

}  // namespace isthmus::inline ISTHMUS_ABI
