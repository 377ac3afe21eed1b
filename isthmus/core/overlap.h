// overlap.h: whether two layouts in one memory have elements in common.
#pragma once

#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Elements in a memory: the layout counts elements of `bytes` from byte `begin` of the memory on.
struct Placed {
  const Layout& layout;
  std::int64_t bytes;
  std::int64_t begin = 0;
};

/// Whether a byte is of both. Exact, but true also where finding out would take too long, which
/// takes strides that fit into each other in many ways.
ISTHMUS_EXPORT bool share_bytes(const Placed& a, const Placed& b);

}  // namespace isthmus::inline ISTHMUS_ABI
