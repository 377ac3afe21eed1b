// row.h: the loop of one row, over an expression of ops.def.
#pragma once

#include <cmath>
#include <type_traits>

#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// What the word NONE in a column of ops.def means to the compiler.
struct None {};
inline constexpr None NONE;

using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt,
    std::ceil, std::copysign, std::cos, std::cosh, std::exp, std::exp2, std::expm1, std::fabs,
    std::floor, std::fma, std::fmax, std::fmin, std::fmod, std::hypot, std::ldexp, std::log,
    std::log10, std::log1p, std::log2, std::logb, std::nextafter, std::pow, std::rint, std::signbit,
    std::sin, std::sinh, std::sqrt, std::tan, std::tanh, std::tgamma, std::trunc;

/// What a row returns: an operation is a type with arity, rule and apply(x, y, z).
template <class F, class T, class R>
using ResultOf = std::conditional_t<
    F::rule == ResultRule::boolean, std::uint8_t,
    std::conditional_t<F::rule == ResultRule::int32, std::int32_t,
                       std::conditional_t<F::rule == ResultRule::real_part, R, T>>>;

/// `X` is the type of the first operand, which differs from T for `where`.
template <class F, class Out, class X, class T>
void row(void* out_memory, const void* x_memory, const void* y_memory, const void* z_memory,
         std::int64_t n) {
  auto* out = static_cast<Out*>(out_memory);
  const auto* x = static_cast<const X*>(x_memory);
  const auto* y = static_cast<const T*>(y_memory);
  const auto* z = static_cast<const T*>(z_memory);
  // An output may be an operand, at the same index only.
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (F::arity == 1)
      out[i] = static_cast<Out>(F::apply(x[i], T{}, T{}));
    else if constexpr (F::arity == 2)
      out[i] = static_cast<Out>(F::apply(x[i], y[i], T{}));
    else
      out[i] = static_cast<Out>(F::apply(x[i], y[i], z[i]));
  }
}

/// The row of operation `F` on T (whose real type is R), or null if the family is refused.
template <class F, class T, class R>
constexpr Row row_of() {
  using X = std::conditional_t<F::op == Op::where, std::uint8_t, T>;
  if constexpr (std::is_same_v<decltype(F::apply(X{}, T{}, T{})), None>)
    return nullptr;
  else
    return row<F, ResultOf<F, T, R>, X, T>;
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA

/// Defines `Op_name<T, U, R>` for every row, from the column `column` of ops.def.
#define ISTHMUS_OPERATION(name, arity_, rule_, expression)                               \
  template <class T, class U, class R>                                                   \
  struct Op_##name {                                                                     \
    static constexpr Op op = Op::name;                                                   \
    static constexpr int arity = arity_;                                                 \
    static constexpr ResultRule rule = ResultRule::rule_;                                \
    using X = std::conditional_t<Op::name == Op::where, std::uint8_t, T>;                \
    static auto apply(X x, T y, T z) { return (void)x, (void)y, (void)z, (expression); } \
  };
