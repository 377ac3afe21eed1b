// rules.cpp: operations that are others, of some operands.
#include "isthmus/array/infer/rules.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/infer/infer.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

DType dtype_of(const Value& value) {
  return value.array ? value.array->dtype() : value.scalar.dtype;
}

bool is_natural64(DType dtype) { return dtype == DType(TypeId::uint64); }

/// Whether `negative op natural`, or with is_swapped `natural op negative`, holds.
bool holds_for_negatives(Op op, bool is_swapped) {
  const bool is_less = op == Op::less || op == Op::less_equal;
  const bool is_greater = op == Op::greater || op == Op::greater_equal;
  return op == Op::not_equal || (is_swapped ? is_greater : is_less);
}

/// The row that a literal exponent stands for, as in NumPy: it is much faster than pow and exact
/// where pow rounds. Op::pow: none.
Op row_of_power(const Value& x, const Value& exponent) {
  if (!x.array || exponent.array || !exponent.is_weak) return Op::pow;
  const Family family = x.array->dtype().family, kind = exponent.scalar.dtype.family;
  const bool is_integral = kind == Family::integer;
  if (!is_integral && kind != Family::real) return Op::pow;
  const bool is_whole = family == Family::integer || family == Family::natural;
  const bool is_inexact = family == Family::real || family == Family::complex;
  if (!is_inexact && !is_whole) return Op::pow;
  const double power =
      is_integral ? static_cast<double>(exponent.scalar.integer) : exponent.scalar.number.re;
  if (power == 2) return Op::square;
  if (is_whole && is_integral) return Op::pow;
  return power == 1     ? Op::positive
         : power == -1  ? Op::reciprocal
         : power == 0.5 ? Op::sqrt
                        : Op::pow;
}

/// Throws value for integers to a negative integer that is known now: NumPy has no result either.
void refuse_negative_power(const Value& x, const Value& exponent) {
  const auto is_whole = [](Family family) {
    return family == Family::boolean || family == Family::integer || family == Family::natural;
  };
  const DType base = x.array ? x.array->dtype() : x.scalar.dtype;
  const bool is_negative = !exponent.array && exponent.scalar.dtype.family == Family::integer &&
                           exponent.scalar.integer < 0;
  check(!is_negative || !is_whole(base.family), Errc::value,
        "pow: integers to the power of {} are not integers; make one of the two a float",
        exponent.scalar.integer);
}

std::optional<Array> small_power(Op op, std::span<const Value> operands) {
  if (op != Op::pow) return {};
  const Op row = row_of_power(operands[0], operands[1]);
  if (row != Op::pow) {
    const Family base = operands[0].array->dtype().family;
    const bool is_whole = base == Family::integer || base == Family::natural;
    if (!is_whole || operands[1].scalar.dtype.family == Family::integer)
      return apply(row, operands.first(1));
    return apply(row, {astype(*operands[0].array, infer(op, operands).given, false)});
  }
  refuse_negative_power(operands[0], operands[1]);
  return {};
}

/// Whether the dtype rounds an odd whole number of this size, and so to an even one.
bool rounds(std::uint64_t size, DType dtype) {
  const int digits = dtype == DType(TypeId::bfloat16)  ? 8
                     : dtype == DType(TypeId::float16) ? 11
                     : dtype == DType(TypeId::float32) ? 24
                                                       : 53;
  return size >> digits != 0;
}

/// A rounded exponent gives the size of the power, but not its sign.
std::optional<Array> power_of_odd(Op op, std::span<const Value> operands) {
  const Value &x = operands[0], &exponent = operands[1];
  if (op != Op::pown || !x.array || exponent.array) return {};
  check(!exponent.is_past_64_bits, Errc::overflow, "pown: an integer past 64 bits; write a float");
  const Scalar& n = exponent.scalar;
  const bool is_signed = n.dtype.family == Family::integer;
  if ((!is_signed && n.dtype.family != Family::natural) || n.natural % 2 == 0) return {};
  const bool is_negative = is_signed && n.integer < 0;
  const Array base = *x.array;
  const auto near = is_signed ? static_cast<double>(n.integer) : static_cast<double>(n.natural);
  Array power = apply(Op::pown, {base, near});
  if (!rounds(is_negative ? 0 - n.natural : n.natural, power.dtype())) return power;
  Array sign = base.dtype() == power.dtype() ? base : astype(base, power.dtype(), false);
  return apply(Op::copysign, {std::move(power), std::move(sign)});
}

/// An element is equal to itself, unless it is NaN, which integers have not.
std::optional<Array> compare_past_range(Op op, std::span<const Value> operands) {
  const auto answer = known_answer(op, operands);
  if (!answer) return {};
  const Array& x = *operands[operands[0].array ? 0 : 1].array;
  return apply(*answer ? Op::equal : Op::not_equal, {x, x});
}

/// A negative number is less than every natural one; the others are compared as such.
std::optional<Array> compare_across_signs(Op op, std::span<const Value> operands) {
  if (!is_comparison(op)) return {};
  for (const Value& value : operands)
    if (!value.array && value.is_weak) return {};
  const bool is_swapped = is_natural64(dtype_of(operands[0]));
  const Value& natural = operands[is_swapped ? 0 : 1];
  const Value& whole = operands[is_swapped ? 1 : 0];
  if (!is_natural64(dtype_of(natural)) || dtype_of(whole).family != Family::integer) return {};
  if (!natural.array && !whole.array) return {};  // which no operation takes
  const Device device = (natural.array ? natural : whole).array->device();
  const InContextOf meanwhile(*(natural.array ? natural : whole).array);
  const Array number = whole.array ? *whole.array : full({}, whole, whole.scalar.dtype, device);
  const Array as_natural = astype(number, TypeId::uint64, false);
  const Array compared = apply(op, is_swapped ? std::initializer_list<Value>{natural, as_natural}
                                              : std::initializer_list<Value>{as_natural, natural});
  if (holds_for_negatives(op, is_swapped))
    return apply(Op::logical_or, {apply(Op::less, {number, 0}), compared});
  return apply(Op::logical_and, {apply(Op::greater_equal, {number, 0}), compared});
}

using Rule = std::optional<Array> (*)(Op, std::span<const Value>);
constexpr Rule rules[] = {small_power, power_of_odd, compare_past_range, compare_across_signs};

}  // namespace

std::optional<Array> by_rule(Op op, std::span<const Value> operands) {
  if (operands.size() != 2) return {};
  for (const Rule rule : rules)
    if (auto made = rule(op, operands)) return made;
  return {};
}

}  // namespace isthmus::inline ISTHMUS_ABI
