// seen.h: an array seen through another layout.
#pragma once

#include <utility>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The same storage through a layout that the caller has made sure of: elements beyond the memory
/// would be read and written there.
inline Array seen_as(const Array& x, Layout layout, bool is_read_only = false) {
  return Array(x.storage(), std::move(layout), x.is_read_only() || is_read_only);
}

}  // namespace isthmus::inline ISTHMUS_ABI
