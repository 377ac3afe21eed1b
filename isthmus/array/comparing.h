// comparing.h: comparisons of arrays, elementwise and as a whole.
#pragma once

#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How far apart close numbers may be: |x - y| <= absolute + relative * |y|.
struct Tolerance {
  double relative = 1e-5;  ///< Times |y|.
  double absolute = 1e-8;  ///< Added to that.
  bool equal_nan = false;  ///< NaNs count as close to each other.
};

/// Whether each element of x is close to that of y, in the common dtype or, for integers and bools,
/// the default real dtype of the device. Infinities are close to themselves. At least one operand
/// must be an array. Pending; one kernel. Throws as subtract(). Source: NumPy 2, isclose.
ISTHMUS_EXPORT Array isclose(const Value& x, const Value& y, const Tolerance& tolerance = {});
/// Whether all elements are close, as an array without axes. Pending; one kernel. Source: NumPy 2,
/// allclose.
ISTHMUS_EXPORT Array allclose(const Value& x, const Value& y, const Tolerance& tolerance = {});
/// Whether shapes and all elements are equal, as an array without axes. Pending; one kernel. Throws
/// as equal(). Source: NumPy 2, array_equal.
ISTHMUS_EXPORT Array array_equal(const Array& x, const Array& y, Flag equal_nan = false);
/// The number of elements that are not zero, over all axes or some: int64. NaN is not zero.
/// Pending; one kernel. Throws as sum(). Source: Array API 2025.12, count_nonzero.
ISTHMUS_EXPORT Array count_nonzero(const Array& x, const AxisSet& axes = all_axes,
                                   Flag keepdims = false);

}  // namespace isthmus::inline ISTHMUS_ABI
