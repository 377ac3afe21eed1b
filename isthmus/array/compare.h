// compare.h: signed with unsigned integers.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A comparison of 64-bit natural numbers with signed integers, which have no common dtype that
/// holds both: the numbers are compared, as NumPy 2 does. Nothing for other operations and
/// operands.
std::optional<Array> compare_as_numbers(Op op, std::span<const Value> operands);

}  // namespace isthmus::inline ISTHMUS_ABI
