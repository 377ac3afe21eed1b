// quantiles.h: medians and quantiles.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The middle of the elements in order over `axes`, or the mean of the two in the middle; NaN if
/// any is NaN, or if there are none. Floats and complex numbers keep their dtype, others give the
/// default real one. Complex numbers are in the order of sort(). New memory, without these axes or
/// with length 1. Pending. Throws index or value for bad axes, type for struct dtypes. Source:
/// NumPy 2, median.
ISTHMUS_EXPORT Array median(const Array& x, const AxisSet& axes = all_axes, bool keepdims = false);
/// The same of the elements that are not NaN; NaN where there are none. Source: NumPy 2, nanmedian.
ISTHMUS_EXPORT Array nanmedian(const Array& x, const AxisSet& axes = all_axes,
                               bool keepdims = false);

/// The q-th quantile of the elements over `axes`, 0 <= q <= 1: what lies at q * (n - 1) among the n
/// elements in order. Between two of them it is, by `method`, "linear" in between, the "lower" or
/// the "higher" one, the "nearest" one, of two as near the one with an even index, or the
/// "midpoint" of both. NaN if any element is NaN. An element that counts nothing may be infinite,
/// and so may both; there NumPy has NaN. Floats keep their dtype; others give the default real one
/// for "linear" and "midpoint". New memory, without these axes or with length 1. Pending. Throws
/// value for another q or method, or no elements, index or value for bad axes, type for complex and
/// struct dtypes. Source: NumPy 2, quantile.
ISTHMUS_EXPORT Array quantile(const Array& x, double q, const AxisSet& axes = all_axes,
                              bool keepdims = false, std::string_view method = "linear");
/// @{
/// The same for several q, along a new first axis.
ISTHMUS_EXPORT Array quantile(const Array& x, std::span<const double> q,
                              const AxisSet& axes = all_axes, bool keepdims = false,
                              std::string_view method = "linear");
inline Array quantile(const Array& x, std::initializer_list<double> q,
                      const AxisSet& axes = all_axes, bool keepdims = false,
                      std::string_view method = "linear") {
  return quantile(x, std::span(q.begin(), q.size()), axes, keepdims, method);
}
/// @}
/// quantile() with q in percent, from 0 to 100. Throws alike. Source: NumPy 2, percentile.
ISTHMUS_EXPORT Array percentile(const Array& x, double q, const AxisSet& axes = all_axes,
                                bool keepdims = false, std::string_view method = "linear");
/// @{
/// The same for several q, along a new first axis.
ISTHMUS_EXPORT Array percentile(const Array& x, std::span<const double> q,
                                const AxisSet& axes = all_axes, bool keepdims = false,
                                std::string_view method = "linear");
inline Array percentile(const Array& x, std::initializer_list<double> q,
                        const AxisSet& axes = all_axes, bool keepdims = false,
                        std::string_view method = "linear") {
  return percentile(x, std::span(q.begin(), q.size()), axes, keepdims, method);
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
