// parts.cpp: two results are two expressions of the same operands.
#include "isthmus/array/parts.h"

#include "isthmus/array/functions.h"
#include "isthmus/array/reduce/reduced.h"

namespace isthmus::inline ISTHMUS_ABI {

DivMod divmod(const Value& x, const Value& y) {
  // both results need them
  Value first = x, second = y;
  first.released = second.released = nullptr;
  check(first.array || second.array, Errc::type, "divmod: two numbers; one must be an array");
  return {apply(Op::floor_divide, {first, second}), apply(Op::remainder, {first, second})};
}

Modf modf(Array x) {
  check_is_ordered("modf", x);
  if (!has_fractions(x.dtype())) {
    const DType real = floating_for(x.dtype());
    x = astype(std::move(x), has_dtype(x.device(), real) ? real : DType(TypeId::float32), false);
  }
  const Array whole = trunc(x);
  // infinity less itself would be NaN, and 0.0 has lost the sign of -1.0 or -0.0
  Array rest = where(isinf(x), 0, x - whole);
  return {copysign(std::move(rest), std::move(x)), whole};
}

Frexp frexp(Array x) {
  check_is_ordered("frexp", x);
  Array exponent = astype(frexp_exponent(x), TypeId::int32, false);
  return {frexp_mantissa(std::move(x)), std::move(exponent)};
}

}  // namespace isthmus::inline ISTHMUS_ABI
