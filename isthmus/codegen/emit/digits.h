// digits.h: the kernels of a sort by digits.
#pragma once

#include "isthmus/codegen/emit/planner.h"
#include "isthmus/codegen/emit/printer.h"

namespace isthmus::emitting {

/// Words beside those of a signature that they need.
inline constexpr int digit_words = 5;

/// Whether a row is so long that digits are faster than comparisons.
bool is_for_digits(std::int64_t row);
std::string print_digits(Printer& printer);
void plan_digits(Planner& planner);

}  // namespace isthmus::emitting
