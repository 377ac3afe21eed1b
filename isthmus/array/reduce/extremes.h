// extremes.h: indices of the largest and smallest elements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// @{
/// The index of the largest or smallest element along an axis, or of all elements in row-major
/// order: the first of equal elements, and the first NaN if there is one. New memory, int64,
/// without the axis or with length 1; without an axis and with `keepdims` all axes have length 1.
/// Pending; one kernel, together with the operations that calculate x. Throws ValueError for an
/// axis without elements, IndexError for an axis out of range, TypeError for complex numbers.
/// Source: Array API 2025.12, argmax and argmin.
ISTHMUS_EXPORT Array argmax(Array x, OptionalInteger axis = {}, Flag keepdims = false);
ISTHMUS_EXPORT Array argmin(Array x, OptionalInteger axis = {}, Flag keepdims = false);
/// @}
/// @{
/// The same for the elements that are not NaN. Waits, unless x has integers or bools, to throw
/// ValueError if there are only NaNs along the axis. If the element is infinite, the index is still
/// that of an element that is not NaN. Source: NumPy 2, nanargmax and nanargmin.
ISTHMUS_EXPORT Array nanargmax(Array x, OptionalInteger axis = {}, Flag keepdims = false);
ISTHMUS_EXPORT Array nanargmin(Array x, OptionalInteger axis = {}, Flag keepdims = false);
/// @}
/// Converts indices into all elements of an array of this shape to indices along its axes, one
/// array of int64 for each axis: the inverse of argmax() without an axis. `order` is the order in
/// which elements are counted: in "C" the last axis varies fastest, in "F" the first. New memory,
/// pending. An index that is too large or negative is not detected: the index along an axis is then
/// outside the shape. Throws TypeError for indices that are not integers, ValueError for a shape
/// without axes or elements and for another order. Source: NumPy 2, unravel_index.
ISTHMUS_EXPORT std::vector<Array> unravel_index(const Array& indices, const Shape& shape,
                                                std::string_view order = "C");

namespace detail {
/// The indices along each axis of the elements with these row-major indices in a shape; pending
/// int64.
std::vector<Array> indices_of_axes(const Array& numbers, std::span<const std::int64_t> shape);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
