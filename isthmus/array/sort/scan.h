// scan.h: what a reduction gives up to each element.
#pragma once

#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What the reduction gives up to each element, this one included, along an axis; without one x has
/// one axis. The dtype is that of the reduction. The order in which floats are combined depends on
/// the shape alone. Pending; fuses with what gives x. Throws IndexError for a bad axis, ValueError
/// for an array that needs one, TypeError for a dtype that the reduction refuses.
ISTHMUS_EXPORT Array scan(Reduction reduction, Array x, OptionalInteger axis = {},
                          std::optional<DType> dtype = {});

/// Sums up to each element; with `include_initial` behind a zero, one element longer. Throws as
/// scan(). Source: Array API 2025.12, cumulative_sum.
ISTHMUS_EXPORT Array cumulative_sum(Array x, OptionalInteger axis = {},
                                    std::optional<DType> dtype = {}, Flag include_initial = false);
/// Products up to each element; with `include_initial` behind a one, one element longer. Throws as
/// scan(). Source: Array API 2025.12, cumulative_prod.
ISTHMUS_EXPORT Array cumulative_prod(Array x, OptionalInteger axis = {},
                                     std::optional<DType> dtype = {}, Flag include_initial = false);
/// The largest element so far; from the first NaN on NaN. Throws as scan().
ISTHMUS_EXPORT Array cumulative_max(Array x, OptionalInteger axis = {});
/// The smallest element so far; from the first NaN on NaN. Throws as scan().
ISTHMUS_EXPORT Array cumulative_min(Array x, OptionalInteger axis = {});
/// @{
/// The same with the dtype as a type of C++: cumulative_sum<double>(x).
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
