// take.h: elements by their indices, along an axis or in row-major order.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What becomes of an index outside its axis.
enum class Outside : std::uint8_t {
  raise,  ///< Throws IndexError; negative ones count from the end.
  wrap,   ///< Counts on from the other end.
  clip,   ///< The first element or the last; negative ones are the first.
};

/// The elements at these indices, integers of any shape, which takes the place of the axis; without
/// an axis of the elements in row-major order. New memory, pending. Throws IndexError for one that
/// is outside, unless `outside` says otherwise, TypeError for what are no integers. On a device,
/// where the host would have to wait for the indices, whoever waits for the result gets that
/// IndexError. Source: Array API 2025.12, take; NumPy 2 where the standard is silent.
ISTHMUS_EXPORT Array take(const Array& x, const Array& indices, OptionalInteger axis = {},
                          Outside outside = Outside::raise);
/// Along an axis the elements at these indices, which have as many axes as x; the other axes
/// broadcast. New memory, pending. Throws ValueError for another number of axes, IndexError and
/// TypeError as take(). Without an axis (std::nullopt) of the elements in row-major order, with
/// indices of one axis. Source: Array API 2025.12, take_along_axis.
ISTHMUS_EXPORT Array take_along_axis(const Array& x, const Array& indices,
                                     OptionalInteger axis = -1);

/// Writes values to the elements at these indices, in row-major order; they begin again where they
/// are fewer than the indices. Of equal indices the last one counts. Throws as take() and assign();
/// where an index that is outside is found later, nothing is written, and the next wait for x
/// throws. Source: NumPy 2, put.
ISTHMUS_EXPORT void put(const Array& x, const Array& indices, const Value& values,
                        Outside outside = Outside::raise);
/// Writes values, broadcast, to the elements that take_along_axis() reads. Throws as that and
/// assign(). Source: NumPy 2, put_along_axis.
ISTHMUS_EXPORT void put_along_axis(const Array& x, const Array& indices, const Value& values,
                                   OptionalInteger axis);

}  // namespace isthmus::inline ISTHMUS_ABI
