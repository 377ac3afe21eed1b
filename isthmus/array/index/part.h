// part.h: views of a part of an axis.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isthmus/array/array.h"
#include "isthmus/array/index/seen.h"

namespace isthmus::inline ISTHMUS_ABI {

inline std::int64_t length_of(const Array& x, int axis) {
  return x.shape()[static_cast<std::size_t>(axis)];
}

/// Elements begin to end of an axis, which must be in it.
inline Array part_of(const Array& x, int axis, std::int64_t begin, std::int64_t end) {
  Layout layout = x.layout();
  layout.shape[static_cast<std::size_t>(axis)] = std::max<std::int64_t>(end - begin, 0);
  if (layout.count()) layout.offset += begin * layout.strides[static_cast<std::size_t>(axis)];
  return seen_as(x, std::move(layout));
}

}  // namespace isthmus::inline ISTHMUS_ABI
