// correlate.h: convolutions of sequences, and covariances and correlations of variables.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The convolution of two sequences: element k is the sum of x[i] * y[k - i]. With `mode` "full",
/// all x.size() + y.size() - 1 elements; with "same", as many as the longer sequence has, from the
/// middle; with "valid", those where the shorter sequence lies inside the longer one. Numbers are
/// calculated as by vecdot(), with x.size() * y.size() multiplications; the host adds float32 and
/// float64 in order, and the call waits for that. x and y have one axis, or none. New memory,
/// otherwise pending. Throws ValueError for several axes, sequences without elements and
/// another mode, PromotionError, DeviceMismatchError, TypeError for structs. Source: NumPy 2,
/// convolve.
ISTHMUS_EXPORT Array convolve(const Array& x, const Array& y, std::string_view mode = "full");

/// The cross-correlation of two sequences: element k is the sum of x[k + i] * conj(y[i]). `mode` is
/// as for convolve(); in "full", k begins with 1 - y.size(). New memory, and waits, as there.
/// Throws the same errors. Source: NumPy 2, correlate.
ISTHMUS_EXPORT Array correlate(const Array& x, const Array& y, std::string_view mode = "valid");

/// The covariances of the variables in the rows of x, or in its columns if `rowvar` is false: the
/// mean of (a - mean(a)) * conj(b - mean(b)) for rows a and b, where the sum is divided by the
/// number of columns minus `ddof`, or by 0 if `ddof` is greater, which gives NaN or infinity.
/// `y` has further variables. An operand with one axis is one variable. The result is a square
/// matrix, or has no axes for one variable; in the dtype of mean(), or in `dtype`. New memory.
/// Calculated by matmul(), and waits as it does. Throws ValueError for more than two axes and other
/// numbers of observations in y, TypeError for an integer dtype and structs, PromotionError,
/// DeviceMismatchError. Source: NumPy 2, cov.
ISTHMUS_EXPORT Array cov(const Array& x, const std::optional<Array>& y = {}, Flag rowvar = true,
                         double ddof = 1, std::optional<DType> dtype = {});

/// The correlation coefficients of these variables: their covariances, divided by the standard
/// deviations of both; NaN for a variable whose elements are equal. Real and imaginary parts are
/// from -1 to 1. Throws as cov() does. Source: NumPy 2, corrcoef.
ISTHMUS_EXPORT Array corrcoef(const Array& x, const std::optional<Array>& y = {},
                              Flag rowvar = true, std::optional<DType> dtype = {});

}  // namespace isthmus::inline ISTHMUS_ABI
