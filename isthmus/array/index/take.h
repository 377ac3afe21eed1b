// take.h: elements by their indices, along an axis or in row-major order.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How to treat an index out of range.
enum class Outside : std::uint8_t {
  raise,  ///< Throws IndexError; negative indices count from the end.
  wrap,   ///< Continues at the other end.
  clip,   ///< The first element or the last; negative indices are the first.
};

/// The elements at these indices, which are integers of any shape; this shape replaces the axis.
/// Without an axis, the indices refer to the elements in row-major order. New memory, pending.
/// Throws IndexError for an index out of range, unless `outside` says otherwise, TypeError for
/// indices that are not integers. On a device, if the host would have to wait for the indices,
/// waiting for the result throws that IndexError. Source: Array API 2025.12, take; NumPy 2 where
/// the standard is silent.
ISTHMUS_EXPORT Array take(const Array& x, const Array& indices, OptionalInteger axis = {},
                          Outside outside = Outside::raise);
/// The elements along an axis at these indices, which have as many axes as x; the other axes
/// broadcast. Without an axis (std::nullopt), the indices have one axis and refer to the elements
/// in row-major order. New memory, pending. Throws ValueError for another number of axes,
/// IndexError and TypeError as take(). Source: Array API 2025.12, take_along_axis.
ISTHMUS_EXPORT Array take_along_axis(const Array& x, const Array& indices,
                                     OptionalInteger axis = -1);

/// Writes values to the elements at these indices, in row-major order; values are repeated if there
/// are fewer than indices. For equal indices the last value counts. Throws as take() and assign().
/// If an index out of range is only detected later, nothing is written, and the next wait for x
/// throws. Source: NumPy 2, put.
ISTHMUS_EXPORT void put(const Array& x, const Array& indices, const Value& values,
                        Outside outside = Outside::raise);
/// Writes values, broadcast, to the elements that take_along_axis() reads. Throws as
/// take_along_axis() and assign(). Source: NumPy 2, put_along_axis.
ISTHMUS_EXPORT void put_along_axis(const Array& x, const Array& indices, const Value& values,
                                   OptionalInteger axis);

}  // namespace isthmus::inline ISTHMUS_ABI
