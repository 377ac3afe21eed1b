// scan.h: cumulative reductions.
#pragma once

#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The reduction of all elements up to and including each element, along an axis; without an axis x
/// must have one axis. The dtype is that of the reduction. The order in which floats are combined
/// depends only on the shape. Pending; fuses with the operations that calculate x. Throws
/// IndexError for a bad axis, ValueError for a missing axis, TypeError for a dtype that the
/// reduction does not support.
ISTHMUS_EXPORT Array scan(Reduction reduction, Array x, OptionalInteger axis = {},
                          std::optional<DType> dtype = {});

/// Sums up to each element; with `include_initial` a zero comes first, and the axis is one element
/// longer. Throws as scan(). Source: Array API 2025.12, cumulative_sum.
ISTHMUS_EXPORT Array cumulative_sum(Array x, OptionalInteger axis = {},
                                    std::optional<DType> dtype = {}, Flag include_initial = false);
/// Products up to each element; with `include_initial` a one comes first, and the axis is one
/// element longer. Throws as scan(). Source: Array API 2025.12, cumulative_prod.
ISTHMUS_EXPORT Array cumulative_prod(Array x, OptionalInteger axis = {},
                                     std::optional<DType> dtype = {}, Flag include_initial = false);
/// The largest element up to each element; NaN from the first NaN on. Throws as scan().
ISTHMUS_EXPORT Array cumulative_max(Array x, OptionalInteger axis = {});
/// The smallest element up to each element; NaN from the first NaN on. Throws as scan().
ISTHMUS_EXPORT Array cumulative_min(Array x, OptionalInteger axis = {});
/// @{
/// The same with the dtype as a C++ type: cumulative_sum<double>(x).
template <Element T>
Array cumulative_sum(Array x, OptionalInteger axis = {}, Flag include_initial = false) {
  return cumulative_sum(std::move(x), axis, dtype_of_type<T>(), include_initial);
}
template <Element T>
Array cumulative_prod(Array x, OptionalInteger axis = {}, Flag include_initial = false) {
  return cumulative_prod(std::move(x), axis, dtype_of_type<T>(), include_initial);
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
