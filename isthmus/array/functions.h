// functions.h: one C++ function per row of ops.def and reductions.def, and the operators.
#pragma once

#include <cmath>
#include <complex>
#include <concepts>

#include "isthmus/array/array.h"

namespace isthmus {

namespace detail {
template <class T>
concept SomeArray = std::same_as<std::remove_cvref_t<T>, Array>;
/// An operand that has no name is empty afterwards: were it held to the end of the statement, as
/// in `sum(sin(x) * 2).item<float>()`, its value would have to be written to memory of its own.
inline void drop(Array&& x) { x = Array(); }
inline void drop(const Array&) {}
template <SomeArray... Operands>
Array apply_once(Op op, Operands&&... operands) {
  Array result = apply(op, {Value(operands)...});
  (drop(std::forward<Operands>(operands)), ...);
  return result;
}
}  // namespace detail

// Functions of arrays, which a call finds by its argument: sin(x), after `using std::sin`, too.
// Each calls its row of ops.def with arrays and numbers in any mix, at least one of them an array.
// New and pending arrays; apply() says what they throw.
#define ISTHMUS_FUNCTION_1(name)                                     \
  inline Array name(const Array& x) { return apply(Op::name, {x}); } \
  inline Array name(Array&& x) { return detail::apply_once(Op::name, std::move(x)); }
#define ISTHMUS_FUNCTION_2(name)                                                        \
  inline Array name(const Array& x, const Array& y) { return apply(Op::name, {x, y}); } \
  inline Array name(const Array& x, const Value& y) { return apply(Op::name, {x, y}); } \
  inline Array name(const Value& x, const Array& y) { return apply(Op::name, {x, y}); }
#define ISTHMUS_FUNCTION_3(name)                                      \
  inline Array name(const Array& x, const Value& y, const Value& z) { \
    return detail::apply_to_three(Op::name, x, y, z);                 \
  }
namespace detail {
/// As apply(); bounds of clip past the range of an integer dtype are its ends.
ISTHMUS_EXPORT Array apply_to_three(Op op, const Array& x, const Value& y, const Value& z);
}  // namespace detail
#define OP(name, arity, ...) ISTHMUS_FUNCTION_##arity(name)
#include "isthmus/core/ops.def"
#undef ISTHMUS_FUNCTION_1
#undef ISTHMUS_FUNCTION_2
#undef ISTHMUS_FUNCTION_3

// Of numbers alone they are the standard library's, and the very same functions, so that a call is
// not ambiguous after `using namespace isthmus` either. Not round and remainder, which mean
// something else there.
using std::abs, std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh;
using std::ceil, std::conj, std::copysign, std::cos, std::cosh, std::exp, std::expm1, std::floor;
using std::hypot, std::imag, std::isfinite, std::isinf, std::isnan, std::log, std::log10;
using std::log1p, std::log2, std::nextafter, std::pow, std::real, std::signbit, std::sin;
using std::sinh, std::sqrt, std::tan, std::tanh, std::trunc;

/// Rounded to so many decimals, halves to even; see round_to().
inline Array round(const Array& x, int decimals) { return round_to(x, decimals); }
/// With one bound alone.
ISTHMUS_EXPORT Array clip(const Array& x, std::nullopt_t, const Value& high);
ISTHMUS_EXPORT Array clip(const Array& x, const Value& low, std::nullopt_t);

// Reductions over all axes, or some: sum(x), sum(x, 0), sum(x, {0, -1}), sum(x, 0, true) with the
// axes kept at length 1, sum<double>(x, 0) with the elements summed up in another dtype. New and
// pending arrays; reduce() says what they throw.
#define ISTHMUS_REDUCTION_same(name)                                                         \
  inline Array name(const Array& x, const AxisSet& axes = all_axes, bool keepdims = false) { \
    return reduce(Reduction::name, x, axes.get(), keepdims);                                 \
  }                                                                                          \
  inline Array name(Array&& x, const AxisSet& axes = all_axes, bool keepdims = false) {      \
    Array result = reduce(Reduction::name, x, axes.get(), keepdims);                         \
    detail::drop(std::move(x));                                                              \
    return result;                                                                           \
  }
#define ISTHMUS_REDUCTION_boolean(name) ISTHMUS_REDUCTION_same(name)
#define ISTHMUS_REDUCTION_widen(name)                                                      \
  inline Array name(const Array& x, const AxisSet& axes = all_axes, bool keepdims = false, \
                    std::optional<DType> dtype = {}) {                                     \
    return reduce(Reduction::name, x, axes.get(), keepdims, dtype);                        \
  }                                                                                        \
  inline Array name(Array&& x, const AxisSet& axes = all_axes, bool keepdims = false,      \
                    std::optional<DType> dtype = {}) {                                     \
    Array result = reduce(Reduction::name, x, axes.get(), keepdims, dtype);                \
    detail::drop(std::move(x));                                                            \
    return result;                                                                         \
  }                                                                                        \
  template <Element T>                                                                     \
  Array name(const Array& x, const AxisSet& axes = all_axes, bool keepdims = false) {      \
    return reduce(Reduction::name, x, axes.get(), keepdims, dtype_of_type<T>());           \
  }
#define REDUCTION(name, rule, ...) ISTHMUS_REDUCTION_##rule(name)
#include "isthmus/core/reductions.def"
#undef ISTHMUS_REDUCTION_same
#undef ISTHMUS_REDUCTION_boolean
#undef ISTHMUS_REDUCTION_widen
template <Element T>
Array mean(const Array& x, const AxisSet& axes = all_axes, bool keepdims = false) {
  return mean(x, axes, keepdims, dtype_of_type<T>());
}

/// Do not compile: these two reduce.
template <std::same_as<Array> A>
Array max(const Array& x, const A&) {
  static_assert(detail::never<A>,
                "max(x, axes) is a reduction: write maximum(x, y) for two arrays, or clip");
  return x;
}
template <std::same_as<Array> A>
Array min(const Array& x, const A&) {
  static_assert(detail::never<A>,
                "min(x, axes) is a reduction: write minimum(x, y) for two arrays, or clip");
  return x;
}

/// Operators: an array with an array, or with a number on either side. New and pending arrays. Of
/// && and || both sides are evaluated, element by element, as logical_and(x, y) and logical_or.
#define ISTHMUS_OPERATOR(symbol, row)                                           \
  template <detail::SomeArray X, detail::SomeArray Y>                           \
  Array operator symbol(X&& x, Y&& y) {                                         \
    return detail::apply_once(Op::row, std::forward<X>(x), std::forward<Y>(y)); \
  }                                                                             \
  template <detail::SomeArray X>                                                \
  Array operator symbol(X&& x, Number auto y) {                                 \
    Array result = apply(Op::row, {x, y});                                      \
    detail::drop(std::forward<X>(x));                                           \
    return result;                                                              \
  }                                                                             \
  template <detail::SomeArray Y>                                                \
  Array operator symbol(Number auto x, Y&& y) {                                 \
    Array result = apply(Op::row, {x, y});                                      \
    detail::drop(std::forward<Y>(y));                                           \
    return result;                                                              \
  }
ISTHMUS_OPERATOR(+, add)
ISTHMUS_OPERATOR(-, subtract)
ISTHMUS_OPERATOR(*, multiply)
ISTHMUS_OPERATOR(/, divide)
ISTHMUS_OPERATOR(%, remainder)
ISTHMUS_OPERATOR(<, less)
ISTHMUS_OPERATOR(<=, less_equal)
ISTHMUS_OPERATOR(>, greater)
ISTHMUS_OPERATOR(>=, greater_equal)
ISTHMUS_OPERATOR(==, equal)
ISTHMUS_OPERATOR(!=, not_equal)
ISTHMUS_OPERATOR(&, bitwise_and)
ISTHMUS_OPERATOR(|, bitwise_or)
ISTHMUS_OPERATOR(^, bitwise_xor)
ISTHMUS_OPERATOR(<<, bitwise_left_shift)
ISTHMUS_OPERATOR(>>, bitwise_right_shift)
ISTHMUS_OPERATOR(&&, logical_and)
ISTHMUS_OPERATOR(||, logical_or)
#undef ISTHMUS_OPERATOR
#define ISTHMUS_OPERATOR(symbol, row)                       \
  template <detail::SomeArray X>                            \
  Array operator symbol(X&& x) {                            \
    return detail::apply_once(Op::row, std::forward<X>(x)); \
  }
ISTHMUS_OPERATOR(+, positive)
ISTHMUS_OPERATOR(-, negative)
ISTHMUS_OPERATOR(~, bitwise_invert)
ISTHMUS_OPERATOR(!, logical_not)
#undef ISTHMUS_OPERATOR

/// Operators that write to the array on their left, which may be a view: see apply_in_place().
#define ISTHMUS_OPERATOR(symbol, row)                                   \
  inline const Array& operator symbol(const Array& x, const Value& y) { \
    return apply_in_place(Op::row, x, y);                               \
  }                                                                     \
  inline Array operator symbol(Array&& x, const Value& y) {             \
    apply_in_place(Op::row, x, y);                                      \
    return std::move(x);                                                \
  }
ISTHMUS_OPERATOR(+=, add)
ISTHMUS_OPERATOR(-=, subtract)
ISTHMUS_OPERATOR(*=, multiply)
ISTHMUS_OPERATOR(/=, divide)
ISTHMUS_OPERATOR(%=, remainder)
ISTHMUS_OPERATOR(&=, bitwise_and)
ISTHMUS_OPERATOR(|=, bitwise_or)
ISTHMUS_OPERATOR(^=, bitwise_xor)
ISTHMUS_OPERATOR(<<=, bitwise_left_shift)
ISTHMUS_OPERATOR(>>=, bitwise_right_shift)
#undef ISTHMUS_OPERATOR

}  // namespace isthmus
