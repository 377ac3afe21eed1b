// compare.cpp: a negative number is less than every natural one; the others are compared as such.
#include "isthmus/array/compare.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
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

bool is_comparison(Op op) {
  return op == Op::equal || op == Op::not_equal || op == Op::less || op == Op::less_equal ||
         op == Op::greater || op == Op::greater_equal;
}

}  // namespace

std::optional<Array> compare_as_numbers(Op op, std::span<const Value> operands) {
  if (operands.size() != 2 || !is_comparison(op)) return {};
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

}  // namespace isthmus::inline ISTHMUS_ABI
