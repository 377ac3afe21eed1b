// arithmetic.h: texts that are plain arithmetic, as steps.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/kernels/function_text.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// What a text can name.
struct ArithmeticText {
  std::string_view operation;
  std::span<const std::pair<std::string, UserFunction::Parameter>> parameters;
  std::span<const std::pair<std::string, DType>> outputs;
  const Placeholders& types;
};

/// The output of that number, as C calculates it. Nothing unless all of the text is assignments to
/// the outputs and to variables of its own, blocks and `if` round these, in operators, numbers,
/// casts and functions whose meaning is that of our rows: what a compiler refuses is never read,
/// nor what C leaves open, but for overflow of signed integers, which wraps around here, for
/// integers divided by zero, which give 0, and for max() and min() of NaN.
std::optional<UserSteps> read_arithmetic(const ArithmeticText& text, std::size_t output);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
