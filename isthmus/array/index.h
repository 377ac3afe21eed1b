// index.h: views by basic indexing.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus {

/// One entry of x[...].
struct IndexItem {
  enum class Kind : std::uint8_t { integer, slice, newaxis, ellipsis };
  Kind kind = Kind::integer;
  std::int64_t integer = 0;                       ///< Negative: from the end.
  std::optional<std::int64_t> start, stop, step;  ///< As in Python; absent ones too.
};

/// x[items]: a view. Throws index for too many items or an index outside its axis, value for a
/// step of 0.
ISTHMUS_EXPORT Array index(const Array& x, std::span<const IndexItem> items);

}  // namespace isthmus
