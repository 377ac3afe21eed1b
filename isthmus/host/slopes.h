// slopes.h: which values of a tape follow each other along an axis of the loop.
#pragma once

#include <optional>

#include "isthmus/host/walk.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// By how much a value grows with each element along the last axis of a walk; none if not evenly.
/// 0 is the same value all along; other slopes have int64 and uint64 only.
using Slope = std::optional<std::int64_t>;

/// Those of all values of a tape, whose inputs but scalars and bases are `operands`, in order.
SmallVector<Slope, 16> slopes_of(const Tape& tape, const Walk& walk,
                                 std::span<const Operand> operands);

}  // namespace isthmus::inline ISTHMUS_ABI::host
