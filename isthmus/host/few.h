// few.h: a map of few elements, step by step.
#pragma once

#include "isthmus/host/walk.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Up to here a plan and its blocks take longer than the elements: what a chain saves is traffic
/// between the first-level cache and registers.
inline constexpr std::int64_t few_elements = 512;

/// Whether run_few() takes the tape.
bool suits_few(const Tape& tape);

/// What make_plan() and each_block() do for a walk over up to few_elements in its inner range,
/// without outer axes: the same bits, on this thread, and no plan. Operands are those of
/// make_plan(), with an operand for each output.
void run_few(const RowTable& rows, const Tape& tape, std::span<const Argument> arguments,
             const Walk& walk, std::span<const Operand> operands);

}  // namespace isthmus::inline ISTHMUS_ABI::host
