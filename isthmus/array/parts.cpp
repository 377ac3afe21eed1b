// parts.cpp: two results are two expressions of the same operands, in one kernel.
#include "isthmus/array/parts.h"

#include "isthmus/array/functions.h"
#include "isthmus/array/infer/infer.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/refuse.h"
#include "isthmus/array/results.h"

namespace isthmus::inline ISTHMUS_ABI {

DivMod divmod(const Value& x, const Value& y) {
  // both results need them
  Value first = x, second = y;
  first.released = second.released = nullptr;
  const Value operands[] = {first.lent(), second.lent()};
  const DType common = common_dtype_of("divmod", operands);
  const OpInfo& row = info(Op::floor_divide);
  check(row.accepts(common.family), Errc::type, "divmod: does not accept {}{}", common,
        accepted_by(row));
  const auto both = detail::from_one_kernel<2>([&] {
    return std::array{apply(Op::floor_divide, {first, second}),
                      apply(Op::remainder, {first, second})};
  });
  return {both[0], both[1]};
}

Modf modf(Array x) {
  check_is_ordered("modf", x);
  if (!has_fractions(x.dtype())) {
    const DType real = floating_for(x.dtype());
    x = astype(std::move(x), has_dtype(x.device(), real) ? real : DType(TypeId::float32), false);
  }
  const auto both = detail::from_one_kernel<2>([&] {
    // infinity less itself would be NaN, and 0.0 has lost the sign of -1.0 or -0.0
    Array rest = where(isinf(x), 0, x - trunc(x));
    return std::array{copysign(std::move(rest), x), trunc(x)};
  });
  return {both[0], both[1]};
}

Frexp frexp(Array x) {
  check_is_ordered("frexp", x);
  const auto both = detail::from_one_kernel<2>([&] {
    return std::array{frexp_mantissa(x), astype(frexp_exponent(x), TypeId::int32, false)};
  });
  return {both[0], both[1]};
}

}  // namespace isthmus::inline ISTHMUS_ABI
