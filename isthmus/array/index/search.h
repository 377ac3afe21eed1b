// search.h: positions of values in sorted elements, and values between points.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The side of equal elements: before the first, or after the last.
enum class Side : std::uint8_t { left, right };

/// The index before which each value belongs, so that the elements stay sorted: int64, in the shape
/// of the values. x has one axis and is in ascending order, NaN last; or `sorter` gives its order,
/// as returned by argsort(). Values are compared in the common dtype; a number outside the integers
/// of x's dtype is before or after all elements. New memory, pending. Throws ValueError for another
/// number of axes, TypeError for complex numbers, PromotionError, DeviceMismatchError, and
/// IndexError for an index of the sorter out of range. Source: Array API 2025.12, searchsorted.
ISTHMUS_EXPORT Array searchsorted(const Array& x, const Value& values, Side side = Side::left,
                                  const std::optional<Array>& sorter = {});
/// The bin of each element of x, or of a number: i where bins[i-1] <= x < bins[i], or with `right`
/// where bins[i-1] < x <= bins[i]; likewise for descending bins. int64, new memory, pending. Waits
/// to determine the order of the bins. Throws ValueError for bins that are not in order, and as
/// searchsorted(). Source: NumPy 2, digitize.
ISTHMUS_EXPORT Array digitize(const Value& x, const Array& bins, Flag right = false);
/// The value at each x of the straight lines between the points (xp[i], fp[i]), in the shape of x.
/// Before the first point it is `left`, by default fp[0], and after the last one `right`, by
/// default the last of fp. xp has one axis and is in ascending order, which is not checked; fp has
/// as many elements, which may be complex. With a `period`, coordinates are taken modulo it, xp may
/// be in any order, and `left` and `right` do not count. NaN where x is NaN. The dtype is the
/// common one of x, xp and fp, where integers count as the default real dtype. New memory, pending.
/// Throws ValueError for other numbers of axes or elements, none, and a period that is 0 or not
/// finite, TypeError for complex x or xp and structs, PromotionError, DeviceMismatchError. Source:
/// NumPy 2, interp.
ISTHMUS_EXPORT Array interp(const Value& x, const Array& xp, const Array& fp,
                            const std::optional<Value>& left = {},
                            const std::optional<Value>& right = {},
                            std::optional<double> period = {});

}  // namespace isthmus::inline ISTHMUS_ABI
