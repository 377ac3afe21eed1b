// counting.h: how statistics.h comes to its numbers.
#pragma once

#include "isthmus/graph/partition.h"
#include "isthmus/runtime/observe/statistics.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Counts a kernel of `steps` operations; see Statistics::inlined. Needs graph_lock.
void count_kernel(std::int64_t steps, bool is_inlined);
/// Counts why the groups of a plan ended where they did. Needs graph_lock.
void count_stops(const Plan& plan);
/// For copies that other layers make. Takes graph_lock.
ISTHMUS_EXPORT void count_copy();

}  // namespace isthmus::inline ISTHMUS_ABI
