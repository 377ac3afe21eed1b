// statistics.cpp: counters of the evaluator.
#include "isthmus/runtime/observe/counting.h"

#include <mutex>

#include "isthmus/graph/node.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/memory/memory_pool.h"

namespace isthmus::inline ISTHMUS_ABI {

// Under graph_lock, which is held anyway where most of them are counted: atomic counters would
// cost as much as the rest of a small operation.
static Statistics counted;

[[gnu::hot]] void count_kernel(std::int64_t steps, bool is_inlined) {
  ++(is_inlined ? counted.inlined : counted.launched);
  ++counted.kernels;
  counted.steps += steps;
}

void count_stops(const Plan& plan) {
  for (std::size_t i = 0; i < std::size(counted.stops); ++i) counted.stops[i] += plan.stops[i];
}

void count_copy() {
  std::lock_guard lock(graph_lock());
  ++counted.copies;
}

Counters counters() { return {live_memories() - idle_blocks(), live_nodes(), reaper_backlog()}; }

Statistics statistics() {
  std::lock_guard lock(graph_lock());
  return counted;
}

}  // namespace isthmus::inline ISTHMUS_ABI
