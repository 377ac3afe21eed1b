// reduced.h: what statistics ask of the array and the axes that they reduce.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/axes.h"
#include "isthmus/array/calculated.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/array/infer/literal.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What was reduced, with axes of length 1 in the place of those that went.
inline Array with_axes_kept(const Array& reduced, int ndim, const AxisSet& axes) {
  const auto chosen = axes.get();
  if (chosen) return expand_dims(reduced, Axes(*chosen));
  return seen_as(reduced, {Dims(static_cast<std::size_t>(ndim), 1),
                           Dims(static_cast<std::size_t>(ndim), 0), reduced.layout().offset});
}

/// |x|^2.
inline Array squared_size(Array x) {
  if (x.dtype().family != Family::complex) return square(std::move(x));
  return square(real(x)) + square(imag(x));
}

/// Throws type for dtypes of which none of two numbers is the greater. `role` is what x is, if not
/// the first argument: " as weights".
inline void check_is_ordered(std::string_view who, const Array& x, std::string_view role = "") {
  check(x.dtype().is_builtin() && x.dtype().family != Family::complex, Errc::type,
        "{}: does not accept {}{}; it accepts bool, integers, floats", who, x.dtype(), role);
}

/// Throws type for structs.
inline void check_has_numbers(std::string_view who, const Array& x, std::string_view role = "") {
  check(x.dtype().is_builtin(), Errc::type,
        "{}: does not accept {}{}; it accepts bool, integers, floats, complex", who, x.dtype(),
        role);
}

/// Throws type for what are neither signed nor unsigned integers.
inline void check_integers(std::string_view who, const Array& indices) {
  const Family family = indices.dtype().family;
  check(family == Family::integer || family == Family::natural, Errc::type,
        "{}: indices are {}; integers are needed", who, indices.dtype());
}

/// Throws type for a dtype that a mean of x cannot be calculated in.
inline void check_holds_fractions(std::string_view who, const Array& x,
                                  std::optional<DType> dtype) {
  check(!dtype || has_fractions(*dtype), Errc::type,
        "{}: dtype: {} cannot hold fractions; a float or complex dtype can", who,
        dtype.value_or(DType()));
  if (dtype && x.dtype().is_builtin()) check_cast(who, x.dtype(), *dtype);
}

}  // namespace isthmus::inline ISTHMUS_ABI
