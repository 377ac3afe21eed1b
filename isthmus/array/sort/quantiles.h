// quantiles.h: medians and quantiles.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The median of the elements over `axes`: the middle one in order, or the mean of the two in the
/// middle; NaN if any element is NaN, or if there are none. Floats and complex numbers keep their
/// dtype, others give the default real dtype. Complex numbers are in the order of sort(). New
/// memory, without these axes or with length 1. Pending, but the call calculates x and sorts it: on
/// the host before it returns, on a device in its queue. Throws IndexError or ValueError for bad
/// axes, TypeError for struct dtypes. Source: NumPy 2, median.
ISTHMUS_EXPORT Array median(const Array& x, const AxisSet& axes = all_axes, Flag keepdims = false);
/// The same for the elements that are not NaN; NaN where there are none. Source: NumPy 2,
/// nanmedian.
ISTHMUS_EXPORT Array nanmedian(const Array& x, const AxisSet& axes = all_axes,
                               Flag keepdims = false);

/// The q-th quantile of the elements over `axes`, 0 <= q <= 1. With n elements in order, counted
/// from 0, it is the element at q * (n - 1). If that is between two elements, `method` decides:
/// "linear" interpolates, "lower" and "higher" take one of the two, "nearest" takes the nearer one,
/// or the one with an even index if both are equally near, and "midpoint" takes the mean of both.
/// NaN if any element is NaN. Infinite elements are handled as limits: an element with the weight 0
/// does not count, and between two equal infinities the result is the same infinity, where NumPy
/// gives NaN. Floats keep their dtype; others give the default real dtype for "linear" and
/// "midpoint". New memory, without these axes or with length 1. Pending as median() is. Throws
/// ValueError for another q or method, or no elements, IndexError or ValueError for bad axes,
/// TypeError for complex and struct dtypes. Source: NumPy 2, quantile.
ISTHMUS_EXPORT Array quantile(const Array& x, double q, const AxisSet& axes = all_axes,
                              Flag keepdims = false, std::string_view method = "linear");
/// @{
/// The same for several q, along a new first axis, or along as many new first axes as an array of q
/// has. Waits for that array.
ISTHMUS_EXPORT Array quantile(const Array& x, std::span<const double> q,
                              const AxisSet& axes = all_axes, Flag keepdims = false,
                              std::string_view method = "linear");
inline Array quantile(const Array& x, std::initializer_list<double> q,
                      const AxisSet& axes = all_axes, Flag keepdims = false,
                      std::string_view method = "linear") {
  return quantile(x, std::span(q.begin(), q.size()), axes, keepdims, method);
}
ISTHMUS_EXPORT Array quantile(const Array& x, const Array& q, const AxisSet& axes = all_axes,
                              Flag keepdims = false, std::string_view method = "linear");
/// @}
/// quantile() with q in percent, from 0 to 100. Throws the same errors. Source: NumPy 2,
/// percentile.
ISTHMUS_EXPORT Array percentile(const Array& x, double q, const AxisSet& axes = all_axes,
                                Flag keepdims = false, std::string_view method = "linear");
/// @{
/// The same for several q, along a new first axis, or along as many new first axes as an array of q
/// has. Waits for that array.
ISTHMUS_EXPORT Array percentile(const Array& x, std::span<const double> q,
                                const AxisSet& axes = all_axes, Flag keepdims = false,
                                std::string_view method = "linear");
inline Array percentile(const Array& x, std::initializer_list<double> q,
                        const AxisSet& axes = all_axes, Flag keepdims = false,
                        std::string_view method = "linear") {
  return percentile(x, std::span(q.begin(), q.size()), axes, keepdims, method);
}
ISTHMUS_EXPORT Array percentile(const Array& x, const Array& q, const AxisSet& axes = all_axes,
                                Flag keepdims = false, std::string_view method = "linear");
/// @}
/// quantile() for the elements that are not NaN; NaN where there are none. Waits for their number.
/// Throws the same errors, except for no elements. Source: NumPy 2, nanquantile.
ISTHMUS_EXPORT Array nanquantile(const Array& x, double q, const AxisSet& axes = all_axes,
                                 Flag keepdims = false, std::string_view method = "linear");
/// @{
/// The same for several q, along a new first axis, or along as many new first axes as an array of q
/// has. Waits for that array.
ISTHMUS_EXPORT Array nanquantile(const Array& x, std::span<const double> q,
                                 const AxisSet& axes = all_axes, Flag keepdims = false,
                                 std::string_view method = "linear");
inline Array nanquantile(const Array& x, std::initializer_list<double> q,
                         const AxisSet& axes = all_axes, Flag keepdims = false,
                         std::string_view method = "linear") {
  return nanquantile(x, std::span(q.begin(), q.size()), axes, keepdims, method);
}
ISTHMUS_EXPORT Array nanquantile(const Array& x, const Array& q, const AxisSet& axes = all_axes,
                                 Flag keepdims = false, std::string_view method = "linear");
/// @}
/// nanquantile() with q in percent, from 0 to 100. Throws the same errors. Source: NumPy 2,
/// nanpercentile.
ISTHMUS_EXPORT Array nanpercentile(const Array& x, double q, const AxisSet& axes = all_axes,
                                   Flag keepdims = false, std::string_view method = "linear");
/// @{
/// The same for several q, along a new first axis, or along as many new first axes as an array of q
/// has. Waits for that array.
ISTHMUS_EXPORT Array nanpercentile(const Array& x, std::span<const double> q,
                                   const AxisSet& axes = all_axes, Flag keepdims = false,
                                   std::string_view method = "linear");
inline Array nanpercentile(const Array& x, std::initializer_list<double> q,
                           const AxisSet& axes = all_axes, Flag keepdims = false,
                           std::string_view method = "linear") {
  return nanpercentile(x, std::span(q.begin(), q.size()), axes, keepdims, method);
}
ISTHMUS_EXPORT Array nanpercentile(const Array& x, const Array& q, const AxisSet& axes = all_axes,
                                   Flag keepdims = false, std::string_view method = "linear");
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
