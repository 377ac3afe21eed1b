// digits.h: the kernels of a sort by digits.
#pragma once

#include "isthmus/codegen/emit/planner.h"
#include "isthmus/codegen/emit/printer.h"

namespace isthmus::emitting {

/// Words beside those of a signature that they need.
inline constexpr int digit_words = 5;

/// Whether so many rows of such a length are sorted faster by digits than by comparisons.
bool is_for_digits(std::int64_t rows, std::int64_t row);
std::string print_digits(Printer& printer);
void plan_digits(Planner& planner);

}  // namespace isthmus::emitting
