// axes.h: which axes of an array are meant.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "isthmus/array/array.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

/// For each axis whether it is among these; without a list all are. Throws index for one outside
/// the array, value for one that is repeated.
inline SmallVector<bool, 4> marked(std::string_view who,
                                   std::optional<std::span<const std::int64_t>> axes, int ndim) {
  SmallVector<bool, 4> mask(static_cast<std::size_t>(ndim), !axes);
  if (!axes) return mask;
  for (const std::int64_t axis : *axes) {
    bool& mark = mask[static_cast<std::size_t>(checked_axis(who, axis, ndim))];
    check(!mark, Errc::value, "{}: axis {} is repeated", who, axis);
    mark = true;
  }
  return mask;
}

/// How many elements lie along these axes. Throws as marked().
inline std::int64_t count_along(std::string_view who, const Array& x, const AxisSet& axes) {
  const auto mask = marked(who, axes.get(), x.ndim());
  Dims lengths;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) lengths.push_back(x.shape()[i]);
  return product_of({lengths.begin(), lengths.end()});
}

}  // namespace isthmus::inline ISTHMUS_ABI
