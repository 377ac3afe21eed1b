// statistics.cpp: counters of the evaluator.
#include "isthmus/runtime/statistics.h"

#include <atomic>

namespace isthmus {

namespace {

std::atomic<std::int64_t> launched{0}, inlined{0}, steps{0}, copies{0};
std::atomic<std::int64_t> stops[static_cast<int>(Stop::count_)];

void count(std::atomic<std::int64_t>& counter, std::int64_t n = 1) {
  counter.fetch_add(n, std::memory_order_relaxed);
}

}  // namespace

void count_kernel(std::int64_t of_kernel, bool is_inlined) {
  count(is_inlined ? inlined : launched);
  count(steps, of_kernel);
}

void count_stops(const Plan& plan) {
  for (std::size_t i = 0; i < std::size(stops); ++i)
    if (plan.stops[i]) count(stops[i], plan.stops[i]);
}

void count_copy() { count(copies); }

Statistics statistics() {
  Statistics s;
  s.launched = launched.load(), s.inlined = inlined.load();
  s.kernels = s.launched + s.inlined;
  s.steps = steps.load();
  s.copies = copies.load();
  for (std::size_t i = 0; i < std::size(stops); ++i) s.stops[i] = stops[i].load();
  return s;
}

}  // namespace isthmus
