// literal.h: numbers without a dtype of their own: what they make of the arrays beside them.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus {

/// What a literal makes of the arrays' dtype. Throws promotion for a record.
DType with_literal(std::string_view who, DType dtype, const Value& literal);

/// As NumPy 2: a Python integer must fit the integers it meets, and be finite among reals. Throws
/// overflow.
void check_fits(std::string_view who, const Value& literal, DType dtype);

/// What a comparison of an array of integers with a literal past their range says of every
/// element; nothing for other operations and operands.
std::optional<bool> known_answer(Op op, std::span<const Value> operands);

/// The row that a literal exponent stands for, as in NumPy: it is much faster than pow and exact
/// where pow rounds. Op::pow: none.
Op row_of_power(const Value& x, const Value& exponent);

}  // namespace isthmus
