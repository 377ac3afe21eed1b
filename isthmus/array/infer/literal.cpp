// literal.cpp: NumPy 2's rules for Python numbers.
#include "isthmus/array/infer/literal.h"

#include <cmath>

#include "isthmus/array/apply.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

bool is_integral(Family family) { return family == Family::integer || family == Family::natural; }

/// Which side of an integer dtype's range a literal integer lies on: -1, 0 (within it) or 1.
int side_of(const Value& literal, DType dtype) {
  const Scalar& number = literal.scalar;
  if (literal.is_past_64_bits) return number.number.re < 0 ? -1 : 1;
  const bool is_natural = number.dtype.family == Family::natural;
  if (dtype.family == Family::natural) {
    if (!is_natural && number.integer < 0) return -1;
    return number.natural > UINT64_MAX >> (64 - dtype.bits) ? 1 : 0;
  }
  const std::int64_t top = INT64_MAX >> (64 - dtype.bits);
  if (is_natural) return number.natural > static_cast<std::uint64_t>(top) ? 1 : 0;
  return number.integer > top ? 1 : number.integer < -top - 1 ? -1 : 0;
}

}  // namespace

[[gnu::hot]] bool joins(const Value& number, DType dtype) {
  if (!number.is_weak || number.is_past_64_bits) return false;
  const Family family = number.scalar.dtype.family;
  switch (dtype.family) {
    case Family::real: return family != Family::complex;
    case Family::complex: return true;
    case Family::integer:
    case Family::natural: return is_integral(family) && side_of(number, dtype) == 0;
    default: return false;
  }
}

DType with_literal(std::string_view who, DType dtype, const Value& literal) {
  check(dtype.is_builtin(), Errc::promotion, "{}: a {} and a number have no common dtype", who,
        dtype);
  const bool is_integral = dtype.family == Family::integer || dtype.family == Family::natural;
  switch (literal.is_past_64_bits ? Family::integer : literal.scalar.dtype.family) {
    case Family::boolean: return dtype;
    case Family::integer:
    case Family::natural: return dtype.family == Family::boolean ? TypeId::int64 : dtype;
    case Family::real:
      return is_integral || dtype.family == Family::boolean ? TypeId::float64 : dtype;
    default:
      if (dtype.family == Family::complex) return dtype;
      return dtype.family == Family::real && dtype.bits < 64 ? TypeId::complex64
                                                             : TypeId::complex128;
  }
}

void check_fits(std::string_view who, const Value& literal, DType dtype) {
  const Scalar& number = literal.scalar;
  if (literal.is_past_64_bits) {
    check(!is_integral(dtype.family) && std::isfinite(number.number.re), Errc::overflow,
          "{}: an integer past 64 bits does not fit {}", who, dtype);
    return;
  }
  const Family family = number.dtype.family;
  if (literal.array) return;
  check_cast(who, number.dtype, dtype);
  if (!literal.is_weak) return;
  if (family == Family::real && is_integral(dtype.family)) {
    const double value = std::trunc(number.number.re);
    check(value == value, Errc::value, "{}: nan cannot become {}", who, dtype);
    const bool is_natural = dtype.family == Family::natural;
    const double end = std::ldexp(1.0, is_natural ? dtype.bits : dtype.bits - 1);
    check(value < end && value >= (is_natural ? 0 : -end), Errc::overflow, "{}: {} does not fit {}",
          who, number.number.re, dtype);
  }
  if (!is_integral(family) || !is_integral(dtype.family) || side_of(literal, dtype) == 0) return;
  if (family == Family::natural)
    fail(Errc::overflow, "{}: {} does not fit {}", who, number.natural, dtype);
  fail(Errc::overflow, "{}: {} does not fit {}", who, number.integer, dtype);
}

void check_cast(std::string_view who, DType from, DType to) {
  check(from.family != Family::complex || to.family == Family::complex ||
            to.family == Family::boolean,
        Errc::type, "{}: {} cannot become {}; take real(x) or imag(x)", who, from, to);
}

std::optional<bool> known_answer(Op op, std::span<const Value> operands) {
  if (operands.size() != 2 || !operands[0].array == !operands[1].array) return {};
  const bool is_swapped = !operands[0].array;
  const Value& literal = operands[is_swapped ? 0 : 1];
  const DType dtype = operands[is_swapped ? 1 : 0].array->dtype();
  const bool is_integer = literal.is_past_64_bits || is_integral(literal.scalar.dtype.family);
  if (!literal.is_weak || !is_integer || !is_integral(dtype.family)) return {};
  const int side = is_swapped ? -side_of(literal, dtype) : side_of(literal, dtype);
  if (side == 0) return {};
  switch (op) {
    case Op::equal: return false;
    case Op::not_equal: return true;
    case Op::less:
    case Op::less_equal: return side > 0;
    case Op::greater:
    case Op::greater_equal: return side < 0;
    default: return {};
  }
}

Scalar truth_of(const Value& literal) {
  const Scalar& s = literal.scalar;
  const bool is_whole = s.dtype.family == Family::integer || s.dtype.family == Family::natural ||
                        s.dtype.family == Family::boolean;
  if (literal.is_past_64_bits) return Scalar::of(true);
  return Scalar::of(is_whole ? s.integer != 0 : s.number.re != 0 || s.number.im != 0);
}

Value within_range(const Value& literal, DType dtype) {
  const bool is_integer = literal.is_past_64_bits || is_integral(literal.scalar.dtype.family);
  if (literal.array || !literal.is_weak || !is_integer || !is_integral(dtype.family))
    return literal.lent();
  const int side = side_of(literal, dtype);
  if (side == 0) return literal.lent();
  if (dtype.family == Family::natural)
    return Value(Scalar::of(side < 0 ? 0 : UINT64_MAX >> (64 - dtype.bits)), true);
  const std::int64_t top = INT64_MAX >> (64 - dtype.bits);
  return Value(Scalar::of(side < 0 ? -top - 1 : top), true);
}

}  // namespace isthmus::inline ISTHMUS_ABI
