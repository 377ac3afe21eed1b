// statistics.h: how numbers spread, and sums of other kinds.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// @{
/// The variance over `axes`, which is the mean of |x - mean(x)|^2, and its square root. The sum of
/// squares is divided by the number of elements less `correction`, or by 0 if that is greater: NaN
/// or infinite. Real, in the dtype of mean(); half precision is summed up in float32. `dtype`:
/// calculated in it, and that of the result, complex too. New memory, without these axes or with
/// length 1. Pending; two kernels. Throws IndexError or ValueError for bad axes, TypeError for a
/// dtype of integers. std is written isthmus::std, also after `using namespace isthmus`. Source:
/// Array API 2025.12, var and std.
ISTHMUS_EXPORT Array var(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                         double correction = 0, std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array std(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                         double correction = 0, std::optional<DType> dtype = {});
/// @}
/// @{
/// The same with the dtype as a type of C++: var<double>(x).
template <Element T>
Array var(Array x, const AxisSet& axes = all_axes, Flag keepdims = false, double correction = 0) {
  return var(std::move(x), axes, keepdims, correction, dtype_of_type<T>());
}
template <Element T>
Array std(Array x, const AxisSet& axes = all_axes, Flag keepdims = false, double correction = 0) {
  return std(std::move(x), axes, keepdims, correction, dtype_of_type<T>());
}
/// @}
/// @{
/// Does not compile: the correction comes behind keepdims.
template <int = 0, Number T>  // the 0: not with the dtype as a type, var<double>(x, 0, true)
  requires(!std::same_as<T, bool>)
Array var(const Array& x, const AxisSet&, T) {
  static_assert(detail::never<T>, "write var(x, axes, false, correction)");
  return x;
}
template <int = 0, Number T>  // the 0: not with the dtype as a type, var<double>(x, 0, true)
  requires(!std::same_as<T, bool>)
Array std(const Array& x, const AxisSet&, T) {
  static_assert(detail::never<T>, "write isthmus::std(x, axes, false, correction)");
  return x;
}
/// @}

/// log(sum(exp(x))) over `axes`, without overflow on the way: the largest element is subtracted
/// first. -infinity for no elements, infinity if any is, NaN if any is. In the dtype of mean(). New
/// memory, without these axes or with length 1. Pending; two kernels. Throws IndexError or
/// ValueError for bad axes, TypeError for complex numbers. Source: SciPy 1, special.logsumexp.
ISTHMUS_EXPORT Array logsumexp(Array x, const AxisSet& axes = all_axes, Flag keepdims = false);

/// What min_max() gives.
struct MinMax {
  Array min;  ///< The smallest elements.
  Array max;  ///< The largest elements.
};
/// Both min() and max(): auto [low, high] = min_max(x). New memory. Pending; one kernel, if both
/// are alive. Throws as these do.
ISTHMUS_EXPORT MinMax min_max(const Array& x, const AxisSet& axes = all_axes,
                              Flag keepdims = false);

/// The mean over `axes` of elements that count as much as their weights: sum(x * weights) divided
/// by sum(weights), which is NaN or infinite where that sum is 0. Weights have the shape of x, or
/// that of the axes, in their order. Without weights mean(). In the dtype that x and the weights
/// have in common and, if x has integers or bools, the default real one. New memory, without these
/// axes or with length 1. Pending. Throws TypeError for weights of another shape without axes,
/// ValueError for those that fit neither, and as mean(). Source: NumPy 2, average.
ISTHMUS_EXPORT Array average(const Array& x, const AxisSet& axes = all_axes,
                             const std::optional<Array>& weights = {}, Flag keepdims = false);

}  // namespace isthmus::inline ISTHMUS_ABI
