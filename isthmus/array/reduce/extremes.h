// extremes.h: where in an array something is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// @{
/// The index of the largest or smallest element along an axis, or in row-major order of all: the
/// first one of those that are equal, and the first NaN if there is one. New memory, int64, without
/// the axis or with length 1; without an axis and with `keepdims` all axes have length 1. Pending;
/// one kernel, with the operations that give x. Throws ValueError for an axis without elements,
/// IndexError for one outside the array, TypeError for complex numbers. Source: Array API 2025.12,
/// argmax and argmin.
ISTHMUS_EXPORT Array argmax(Array x, OptionalInteger axis = {}, Flag keepdims = false);
ISTHMUS_EXPORT Array argmin(Array x, OptionalInteger axis = {}, Flag keepdims = false);
/// @}
/// @{
/// The same of the elements that are not NaN. Waits, unless x is of integers or bools: throws
/// ValueError if there are only NaNs along the axis. Where the element is infinite, the index is of
/// an element that is not NaN. Source: NumPy 2, nanargmax and nanargmin.
ISTHMUS_EXPORT Array nanargmax(Array x, OptionalInteger axis = {}, Flag keepdims = false);
ISTHMUS_EXPORT Array nanargmin(Array x, OptionalInteger axis = {}, Flag keepdims = false);
/// @}
/// Indices into the elements of an array of this shape, as one array of int64 for each axis: the
/// reverse of what argmax() gives without an axis. `order` is that in which elements are counted:
/// "C" the last axis first, or "F" the first axis first. New memory, pending. An index that is too
/// large or negative is not found out: an axis' index then is outside the shape. Throws TypeError
/// for what are no integers, ValueError for a shape without axes or elements and another order.
/// Source: NumPy 2, unravel_index.
ISTHMUS_EXPORT std::vector<Array> unravel_index(const Array& indices, const Shape& shape,
                                                std::string_view order = "C");

namespace detail {
/// The index along each axis of elements with these row-major numbers in a shape; pending int64.
std::vector<Array> indices_of_axes(const Array& numbers, std::span<const std::int64_t> shape);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
