// chunks.h: what reductions and scans have in common: chunks of reduced elements, each folded
// alone.
#pragma once

#include "isthmus/codegen/emit/shape.h"

namespace isthmus::emitting {

Form chunked_form(const Program& program, const Launch& launch);
std::string print_reduction(Printer& printer, const Traits& traits);

/// How many chunks one result is of.
std::int64_t chunks(const Planner& planner);
/// Each chunk by itself: the kernel `fold`, or `reduce` where there is one chunk.
void plan_chunks(Planner& planner);

}  // namespace isthmus::emitting
