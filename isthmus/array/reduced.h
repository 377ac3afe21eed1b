// reduced.h: what statistics ask of the array and the axes that they reduce.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/manipulate.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

inline bool has_fractions(DType dtype) {
  return dtype.family == Family::real || dtype.family == Family::complex;
}

/// The dtype of a mean: that of x, or the default real one for integers and bools.
inline DType mean_dtype(const Array& x) {
  return has_fractions(x.dtype()) ? x.dtype() : default_real(x.device());
}

/// In which it is summed up: a sum in half precision could overflow where the mean does not.
inline DType summing_dtype(DType mean) {
  const bool is_half = mean.family == Family::real && mean.lane_bits == 16;
  return is_half ? DType(TypeId::float32) : mean;
}

/// How many elements become one. Throws index for an axis outside the array, value for one that is
/// repeated.
inline std::int64_t count_along(std::string_view who, const Array& x, const AxisSet& axes) {
  const auto chosen = axes.get();
  if (!chosen) return x.size();
  SmallVector<bool, 4> is_chosen(static_cast<std::size_t>(x.ndim()), false);
  std::int64_t count = 1;
  for (const std::int64_t axis : *chosen) {
    const auto at = static_cast<std::size_t>(checked_axis(who, axis, x.ndim()));
    check(!is_chosen[at], Errc::value, "{}: axis {} is repeated", who, axis);
    is_chosen[at] = true;
    count *= x.shape()[at];
  }
  return count;
}

/// What was reduced, with axes of length 1 in the place of those that went. To be made of the last
/// result: an operation on it would not fuse with the reduction.
inline Array with_axes_kept(const Array& reduced, int ndim, const AxisSet& axes) {
  const auto chosen = axes.get();
  if (chosen) return expand_dims(reduced, Axes(*chosen));
  return reduced.view({Dims(static_cast<std::size_t>(ndim), 1),
                       Dims(static_cast<std::size_t>(ndim), 0), reduced.layout().offset});
}

/// Throws type for dtypes of which none of two numbers is the greater.
inline void check_is_ordered(std::string_view who, const Array& x) {
  check(x.dtype().is_builtin() && x.dtype().family != Family::complex, Errc::type,
        "{}: does not accept {}; it accepts bool, integers, floats", who, x.dtype());
}

/// Throws type for structs.
inline void check_has_numbers(std::string_view who, const Array& x) {
  check(x.dtype().is_builtin(), Errc::type,
        "{}: does not accept {}; it accepts bool, integers, floats, complex", who, x.dtype());
}

/// Throws type for a dtype that a mean cannot be calculated in.
inline void check_holds_fractions(std::string_view who, std::optional<DType> dtype) {
  check(!dtype || has_fractions(*dtype), Errc::type,
        "{}: dtype: {} holds no fractions; a float or complex dtype does", who,
        dtype.value_or(DType()));
}

}  // namespace isthmus::inline ISTHMUS_ABI
