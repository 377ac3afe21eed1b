// rules.h: operations that are others, of some operands.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

constexpr bool is_comparison(Op op) {
  return op == Op::equal || op == Op::not_equal || op == Op::less || op == Op::less_equal ||
         op == Op::greater || op == Op::greater_equal;
}

/// Whether by_rule() may have something to say.
constexpr bool has_rules(Op op) { return op == Op::pow || op == Op::pown || is_comparison(op); }

/// What the first rule gives that is about these operands; nothing: the operation is what it is.
/// The rules: powers that have a row of their own, odd exponents of pown that no float has,
/// integers that are compared with a number past their range, signed integers that are compared
/// with 64-bit natural ones. Throws value for integers to a negative power, overflow for an
/// exponent of pown past 64 bits.
std::optional<Array> by_rule(Op op, std::span<const Value> operands);

}  // namespace isthmus::inline ISTHMUS_ABI
