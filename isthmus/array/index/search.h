// search.h: where values belong in sorted elements.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Which side of equal elements: before the first one, or behind the last one.
enum class Side : std::uint8_t { left, right };

/// Before which of the elements each value belongs, so that they stay sorted: int64, of the values'
/// shape. x has one axis and is in ascending order, NaN last; or `sorter` says in which order it
/// is, as argsort() does. Compared in the dtype that both have in common; a number that is past all
/// integers of x's dtype is before or behind all elements. New memory, pending. Throws ValueError
/// for another number of axes, TypeError for complex numbers, PromotionError, DeviceMismatchError,
/// and of a sorter IndexError for what is outside. Source: Array API 2025.12, searchsorted.
ISTHMUS_EXPORT Array searchsorted(const Array& x, const Value& values, Side side = Side::left,
                                  const std::optional<Array>& sorter = {});
/// In which bin each element of x, or a number, lies: i where bins[i-1] <= x < bins[i], or with
/// `right` where bins[i-1] < x <= bins[i]; of descending bins likewise. int64, new memory, pending.
/// Waits, to look at the order of the bins. Throws ValueError for bins that are in no order, and as
/// searchsorted(). Source: NumPy 2, digitize.
ISTHMUS_EXPORT Array digitize(const Value& x, const Array& bins, Flag right = false);

}  // namespace isthmus::inline ISTHMUS_ABI
