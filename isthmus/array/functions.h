// functions.h: the functions of arrays; operations.h has those that are rows of ops.def and
// reductions.def, and the operators.
#pragma once

#include <cmath>
#include <complex>
#include <concepts>

#include "isthmus/array/operations.h"

namespace isthmus::inline ISTHMUS_ABI {

// For numbers alone, these are the functions of the standard library itself, so that a call is not
// ambiguous after `using namespace isthmus` either. round and remainder are not included, because
// they mean something else there.
using std::abs, std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh;
using std::ceil, std::conj, std::copysign, std::cos, std::cosh, std::exp, std::expm1, std::floor;
using std::hypot, std::imag, std::isfinite, std::isinf, std::isnan, std::log, std::log10;
using std::log1p, std::log2, std::nextafter, std::pow, std::real, std::signbit, std::sin;
using std::sinh, std::sqrt, std::tan, std::tanh, std::trunc;

/// Rounds to `decimals` decimals, halves to even; see round_to().
inline Array round(Array x, AnyInteger decimals) { return round_to(std::move(x), decimals); }
/// With one bound alone; see clip(Array, const Value&, const Value&).
ISTHMUS_EXPORT Array clip(Array x, std::nullopt_t, const Value& high);
/// With one bound alone; see clip(Array, const Value&, const Value&).
ISTHMUS_EXPORT Array clip(Array x, const Value& low, std::nullopt_t);

/// Does not compile: max is a reduction.
template <std::same_as<Array> A>
Array max(const Array& x, const A&) {
  static_assert(detail::never<A>,
                "max(x, axes) is a reduction: write maximum(x, y) for two arrays, or clip");
  return x;
}
/// Does not compile: min is a reduction.
template <std::same_as<Array> A>
Array min(const Array& x, const A&) {
  static_assert(detail::never<A>,
                "min(x, axes) is a reduction: write minimum(x, y) for two arrays, or clip");
  return x;
}

}  // namespace isthmus::inline ISTHMUS_ABI
