// generation.h: how often this process was forked since the library was loaded.
#pragma once

#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// One more in a child than in its parent. What a thread of the parent was about to do, or held,
/// is of an older generation, and nobody will ever end it.
ISTHMUS_EXPORT std::uint32_t generation() noexcept;

}  // namespace isthmus::inline ISTHMUS_ABI
