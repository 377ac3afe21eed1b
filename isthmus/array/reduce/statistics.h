// statistics.h: variances, averages and other reductions.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// @{
/// The variance over `axes`, which is the mean of |x - mean(x)|^2, and its square root. The sum of
/// squares is divided by the number of elements minus `correction`, or by 0 if `correction` is
/// greater, which gives NaN or infinity. The result is real, in the dtype of mean(); half precision
/// is summed in float32. `dtype` is that of the calculation and of the result, also if it is
/// complex. New memory, without these axes or with length 1. Pending; two kernels. Throws
/// IndexError or ValueError for bad axes, TypeError for an integer dtype. Write isthmus::std for
/// std, also after `using namespace isthmus`. Source: Array API 2025.12, var and std.
ISTHMUS_EXPORT Array var(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                         double correction = 0, std::optional<DType> dtype = {});
ISTHMUS_EXPORT Array std(Array x, const AxisSet& axes = all_axes, Flag keepdims = false,
                         double correction = 0, std::optional<DType> dtype = {});
/// @}
/// @{
/// The same with the dtype as a C++ type: var<double>(x).
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
/// Does not compile: the correction comes after keepdims.
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

/// log(sum(exp(x))) over `axes`, without intermediate overflow: the largest element is subtracted
/// first. -infinity for no elements, infinity if any element is infinity, NaN if any element is
/// NaN. In the dtype of mean(). New memory, without these axes or with length 1. Pending; two
/// kernels. Throws IndexError or ValueError for bad axes, TypeError for complex numbers. Source:
/// SciPy 1, special.logsumexp.
ISTHMUS_EXPORT Array logsumexp(Array x, const AxisSet& axes = all_axes, Flag keepdims = false);

/// The result of min_max().
struct MinMax {
  Array min;  ///< The smallest elements.
  Array max;  ///< The largest elements.
};
/// Both min() and max(): auto [low, high] = min_max(x). New memory. Pending; one kernel, if both
/// are alive. Throws as min() and max() do.
ISTHMUS_EXPORT MinMax min_max(const Array& x, const AxisSet& axes = all_axes,
                              Flag keepdims = false);

/// The weighted mean over `axes`: sum(x * weights) divided by sum(weights), which is NaN or
/// infinite where that sum is 0. Weights have the shape of x, or that of the axes, in their order.
/// Without weights the result is mean(). The dtype is the common dtype of x and the weights and, if
/// x has integers or bools, of the default real dtype. New memory, without these axes or with
/// length 1. Pending. Throws TypeError for weights of another shape without axes, ValueError for
/// weights that match neither shape, and as mean(). Source: NumPy 2, average.
ISTHMUS_EXPORT Array average(const Array& x, const AxisSet& axes = all_axes,
                             const std::optional<Array>& weights = {}, Flag keepdims = false);

}  // namespace isthmus::inline ISTHMUS_ABI
