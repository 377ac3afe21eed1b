// literal.h: numbers without a dtype of their own: what they make of the arrays beside them.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether a number becomes one of the dtype, and neither changes the dtype nor is refused: true of
/// most.
bool joins(const Value& number, DType dtype);

/// What a literal makes of the arrays' dtype. Throws promotion for a record.
DType with_literal(std::string_view who, DType dtype, const Value& literal);

/// As NumPy 2: a number of Python must fit the integers it meets, and be finite among reals; what
/// is no number fits no integer, and a complex number of any kind no real. Throws overflow, type or
/// value.
void check_fits(std::string_view who, const Value& literal, DType dtype);

/// Throws type for a cast that would drop what is imaginary.
void check_cast(std::string_view who, DType from, DType to);

/// What a comparison of an array of integers with a literal past their range says of every
/// element; nothing for other operations and operands.
std::optional<bool> known_answer(Op op, std::span<const Value> operands);

constexpr bool is_logical(Op op) {
  return op == Op::logical_and || op == Op::logical_or || op == Op::logical_xor;
}

/// Whether a literal is not 0: as which logical operations read it.
Scalar truth_of(const Value& literal);

/// A bound past an integer dtype's range is its end, since no element is past that.
ISTHMUS_EXPORT Value within_range(const Value& literal, DType dtype);

}  // namespace isthmus::inline ISTHMUS_ABI
