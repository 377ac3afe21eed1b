// nan_statistics.h: reductions that ignore NaN.
#pragma once

#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

// nanmax() and nanmin() are rows of reductions.def. For integers and bools, which are never NaN,
// they equal the functions without "nan". All results are new memory, those of reductions without
// these axes or with length 1, and are pending. Errors are those of the functions without "nan".

/// @{
/// The sum and the product; 0 and 1 where all elements are NaN. Source: NumPy 2, nansum and
/// nanprod.
ISTHMUS_EXPORT Array nansum(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                            std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array nanprod(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                             std::optional<DType> dtype = {});
/// @}
/// @{
/// The sum and the product of each element and all before it along the axis, or without an axis in
/// row-major order, as Array::cumsum() and Array::cumprod(). Source: NumPy 2, nancumsum and
/// nancumprod.
ISTHMUS_EXPORT Array nancumsum(const Array& x, OptionalInteger axis = {},
                               std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array nancumprod(const Array& x, OptionalInteger axis = {},
                                std::optional<DType> dtype = {});
/// @}
/// The mean; NaN where all elements are NaN. Source: NumPy 2, nanmean.
ISTHMUS_EXPORT Array nanmean(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                             std::optional<DType> dtype = {});
/// @{
/// The variance and its square root, as var() and isthmus::std(); NaN where no more than
/// `correction` elements remain. Source: NumPy 2, nanvar and nanstd.
ISTHMUS_EXPORT Array nanvar(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                            double correction = 0, std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array nanstd(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                            double correction = 0, std::optional<DType> dtype = {});
/// @}
/// @{
/// The same with the dtype as a C++ type: nansum<double>(x).
template <Element T>
Array nansum(Array x, const AxisSet& axes = all_axes, Flag keepdims = false) {
  return nansum(std::move(x), axes, keepdims, dtype_of_type<T>());
}
template <Element T>
Array nanprod(Array x, const AxisSet& axes = all_axes, Flag keepdims = false) {
  return nanprod(std::move(x), axes, keepdims, dtype_of_type<T>());
}
template <Element T>
Array nancumsum(const Array& x, OptionalInteger axis = {}) {
  return nancumsum(x, axis, dtype_of_type<T>());
}
template <Element T>
Array nancumprod(const Array& x, OptionalInteger axis = {}) {
  return nancumprod(x, axis, dtype_of_type<T>());
}
template <Element T>
Array nanmean(Array x, const AxisSet& axes = all_axes, Flag keepdims = false) {
  return nanmean(std::move(x), axes, keepdims, dtype_of_type<T>());
}
/// @}
/// @{
/// The same with the dtype as a C++ type: nanvar<double>(x).
template <Element T>
Array nanvar(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
             double correction = 0) {
  return nanvar(std::move(x), axes, keepdims, correction, dtype_of_type<T>());
}
template <Element T>
Array nanstd(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
             double correction = 0) {
  return nanstd(std::move(x), axes, keepdims, correction, dtype_of_type<T>());
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
