// run_sums.cpp: by a stable sort and passes over all elements.
#include "isthmus/array/sort/run_sums.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/sort/rows.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/array/sort/sort.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/executor.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

RunSums sum_runs(std::string_view who, const Array& positions, const Array& values) {
  const std::int64_t size = positions.size();
  const Array order = argsort(positions).eval();
  const Array sorted = load(who, positions, order).eval();
  Array sums = load(who, values, order);
  const Array place = index_along(Shape{size}, 0, positions.device());
  const Array is_first =
      ((place == 0) | (sorted != load(who, sorted, maximum(place - 1, 0)))).eval();
  const Array in_run = (place - cumulative_max(where(is_first, place, 0))).eval();
  const auto longest = max(in_run).item<std::int64_t>() + 1;
  for (std::int64_t step = 1; step < longest; step *= 2) {
    sums.eval();
    const Array next = minimum(place + step, size - 1);
    const Array is_added = ((in_run & (2 * step - 1)) == 0) & (place + step < size) &
                           (load(who, sorted, next) == sorted);
    sums = where(is_added, sums + load(who, sums, next), sums);
  }
  return {where(is_first, sorted, -1).eval(), sums.eval()};
}

namespace {

/// The elements of a dense array on the host.
template <class T>
T* memory_of(const Array& x) {
  return static_cast<T*>(x.storage()->memory()->host) + x.layout().offset;
}
template <class T>
std::span<const T> elements_of(const Array& x) {
  return {memory_of<T>(x), static_cast<std::size_t>(x.size())};
}

/// Adds up how often each number below `places` occurs. Neighbours are counted apart: an equal one
/// would wait for the count to be written. Returns: whether all are below.
bool count_each(std::span<const std::int64_t> numbers, std::int64_t places, std::int64_t* counts,
                std::int64_t* apart) {
  const auto most = static_cast<std::uint64_t>(places);
  bool are_below = true;
  const auto add = [&](std::int64_t* to, std::int64_t number) {
    const bool is_below = static_cast<std::uint64_t>(number) < most;
    if (is_below) [[likely]]
      ++to[number];
    else
      are_below = false;
  };
  std::size_t i = 0;
  for (; i + 1 < numbers.size(); i += 2) {
    add(counts, numbers[i]);
    add(apart, numbers[i + 1]);
  }
  if (i < numbers.size()) add(counts, numbers[i]);
  return are_below;
}

/// Counts up to which each thread has tables of its own, which its caches hold.
constexpr std::int64_t most_places = 1 << 14;
/// Numbers that are worth the work of preparing a thread, or a table of most_places.
constexpr std::int64_t worth_a_thread = 1 << 16;
/// Numbers that are counted between two looks for an interrupt.
constexpr std::int64_t most_at_once = 1 << 20;

/// The same on all threads. Ends early if a number is not below, which is left out.
bool count_below(std::span<const std::int64_t> numbers, std::int64_t places, std::int64_t* counts) {
  const auto size = static_cast<std::int64_t>(numbers.size());
  const bool has_tables = places <= most_places;
  const std::int64_t least = std::max(8 * places, worth_a_thread);
  const std::int64_t shares =
      has_tables ? std::clamp<std::int64_t>(size / least, 1, thread_count()) : 1;
  const std::int64_t tables = has_tables ? 2 * shares - 1 : 0;  // beside `counts`
  std::vector<std::int64_t> others(static_cast<std::size_t>(tables * places));
  const auto table = [&](std::int64_t k) {
    return k < tables ? others.data() + k * places : counts;
  };
  std::atomic<bool> are_below = true;
  const Unblocked unblocked(size > worth_a_thread);
  const Interruptible interruptible(true);  // what is written is new memory
  for (std::int64_t first = 0; first < size && are_below; first += most_at_once) {
    const std::int64_t count = std::min(size - first, most_at_once);
    const auto count_shares = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t at = k * count / shares, next = (k + 1) * count / shares;
        const auto part = numbers.subspan(static_cast<std::size_t>(first + at),
                                          static_cast<std::size_t>(next - at));
        if (!count_each(part, places, table(2 * k), table(2 * k + 1))) are_below = false;
      }
    };
    parallel_for(shares, 1, count_shares);
    listen();
  }
  for (std::int64_t k = 0; k < tables; ++k)
    for (std::int64_t number = 0; number < places; ++number) counts[number] += table(k)[number];
  return are_below;
}

Array counted_here(const Array& row, std::int64_t length) {
  const Array made = to_host(zeros(Shape{length}, TypeId::int64, row.device()));
  count_below(elements_of<std::int64_t>(row), length, memory_of<std::int64_t>(made));
  return made;
}

}  // namespace

std::optional<Array> counted_at_once(const Array& x, std::int64_t length) {
  if (!x.device().is_host() || x.size() < worth_a_thread || length > most_places) return {};
  const Array row = to_host(in_one_row(astype(x, TypeId::int64, false)));
  std::vector<std::int64_t> counts(most_places);
  if (!count_below(elements_of<std::int64_t>(row), most_places, counts.data())) return {};
  std::int64_t end = most_places;
  while (end > length && counts[static_cast<std::size_t>(end - 1)] == 0) --end;
  const Array made = to_host(zeros(Shape{end}, TypeId::int64, x.device()));
  std::copy_n(counts.begin(), end, memory_of<std::int64_t>(made));
  return made;
}

Array counted(std::string_view who, const Array& x, std::int64_t length) {
  if (x.device().is_host())
    return counted_here(to_host(in_one_row(astype(x, TypeId::int64, false))), length);
  if (adds_by_position(TypeId::int64, x.device())) {
    const Array counts = zeros(Shape{length}, TypeId::int64, x.device());
    add_to(who, counts, astype(x, TypeId::int64, false), std::int64_t{1});
    return counts;
  }
  // a sort of narrow numbers takes fewer passes
  const TypeId narrow = length <= 1 << 8    ? TypeId::uint8
                        : length <= 1 << 16 ? TypeId::uint16
                                            : TypeId::int64;
  const Array sorted = sort(in_one_row(astype(x, narrow, false))).eval();
  const Array number = astype(index_along(Shape{length}, 0, x.device()), narrow, false);
  return search(who, sorted, number, true) - search(who, sorted, number, false);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
