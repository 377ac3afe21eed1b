// run_sums.cpp: by a stable sort and passes over all elements; on the host by loops.
#include "isthmus/array/sort/run_sums.h"

#include <algorithm>
#include <bit>

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/sort/rows.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/array/sort/sort.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

RunSums by_order(std::string_view who, const Array& positions, const Array& values) {
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

/// The elements of a dense array on the host.
template <class T>
T* memory_of(const Array& x) {
  return static_cast<T*>(x.storage()->memory()->host) + x.layout().offset;
}
template <class T>
std::span<const T> elements_of(const Array& x) {
  return {memory_of<T>(x), static_cast<std::size_t>(x.size())};
}

/// Memory of the pool, which was touched before, for as many elements.
template <class T>
Array room_for(std::size_t count, const Array& beside) {
  return empty(Shape{static_cast<std::int64_t>(count)}, dtype_of_type<T>(), beside.device()).eval();
}

/// Values that are added up without a loop: a power of two.
constexpr std::size_t side = 16;

/// Added up in pairs of neighbours, pairs of pairs and so on.
template <std::size_t count = side, class T>
T sum_of_all(const T* x) {
  if constexpr (count == 1) return *x;
  if constexpr (count > 1) return sum_of_all<count / 2>(x) + sum_of_all<count / 2>(x + count / 2);
}

/// The same of any number of values, which are overwritten.
template <class T>
T sum_in_pairs(T* run, std::size_t length) {
  for (std::size_t step = 1; step < length; step *= 2)
    for (std::size_t k = 0; k + step < length; k += 2 * step) run[k] += run[k + step];
  return run[0];
}

/// The same of many.
template <class T>
T sum_of_run(T* run, std::size_t length) {
  while (length > side) {
    const std::size_t whole = length / side, rest = length % side;
    for (std::size_t i = 0; i < whole; ++i) run[i] = sum_of_all(run + i * side);
    if (rest) run[whole] = sum_in_pairs(run + whole * side, rest);
    length = whole + (rest > 0);
  }
  return sum_in_pairs(run, length);
}

/// The same on the host, where values are put in order by counting positions.
template <class T>
void sum_in_order(const Array& positions, const Array& values, std::span<std::int64_t> found,
                  T* sums) {
  using Count = std::uint32_t;
  const std::span at = elements_of<std::int64_t>(positions);
  const std::span given = elements_of<T>(values);
  const std::size_t places = found.size();
  const Array ends = room_for<Count>(places + 1, values), room = room_for<T>(at.size(), values);
  auto* const end = memory_of<Count>(ends);  // of each run, once all are in place
  T* const ordered = memory_of<T>(room);
  std::fill_n(end, places + 1, Count{0});
  for (const std::int64_t position : at) ++end[position + 1];
  for (std::size_t i = 0; i < places; ++i) end[i + 1] += end[i];
  for (std::size_t i = 0; i < given.size(); ++i) ordered[end[at[i]]++] = given[i];
  std::size_t begin = 0;
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t length = end[i] - begin;
    found[i] = length ? static_cast<std::int64_t>(i) : -1;
    sums[i] = length ? sum_of_run(ordered + begin, length) : T{0};
    begin = end[i];
  }
}

/// The same where positions are few: each has a cell of values. The sums of full ones wait for
/// their partners as the carries of a binary counter do, so that all stays in the caches.
template <class T>
void sum_in_cells(const Array& positions, const Array& values, std::span<std::int64_t> found,
                  T* sums) {
  const std::span at = elements_of<std::int64_t>(positions);
  const std::span given = elements_of<T>(values);
  const std::size_t places = found.size();
  const auto levels = static_cast<std::size_t>(std::bit_width(at.size() / side));
  const Array counts = room_for<std::uint32_t>(places, values);
  const Array room = room_for<T>(places * (side + levels), values);
  auto* const count = memory_of<std::uint32_t>(counts);
  T* const cells = memory_of<T>(room);
  T* const waiting = cells + places * side;  // [level][place]
  std::fill_n(count, places, 0);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto place = static_cast<std::size_t>(at[i]);
    T* const cell = cells + place * side;
    std::uint32_t known = count[place]++;
    cell[known % side] = given[i];
    if (known % side != side - 1) continue;
    T sum = sum_of_all(cell);
    T* level = waiting + place;
    for (known /= side; known & 1; known >>= 1, level += places) sum = *level + sum;
    *level = sum;
  }
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t rest = count[i] % side;
    bool is_any = rest > 0;
    T sum = is_any ? sum_in_pairs(cells + i * side, rest) : T{0};
    const T* level = waiting + i;
    for (std::size_t full = count[i] / side; full; full >>= 1, level += places) {
      if (!(full & 1)) continue;
      sum = is_any ? *level + sum : *level;
      is_any = true;
    }
    found[i] = is_any ? static_cast<std::int64_t>(i) : -1;
    sums[i] = sum;
  }
}

template <class T>
RunSums by_counts(const Array& positions, const Array& values, std::int64_t extent) {
  constexpr std::int64_t most_cells = 4096, least_values = 16;
  const auto places = static_cast<std::size_t>(extent);
  const Array found = room_for<std::int64_t>(places, values), sums = room_for<T>(places, values);
  const bool has_cells = extent <= most_cells && extent <= values.size() / least_values;
  const auto sum_up = has_cells ? sum_in_cells<T> : sum_in_order<T>;
  sum_up(positions, values, {memory_of<std::int64_t>(found), places}, memory_of<T>(sums));
  return {found, sums, true};
}

Array counted_here(const Array& row, std::int64_t length) {
  const Array made = to_host(zeros(Shape{length}, TypeId::int64, row.device()));
  auto* const counts = memory_of<std::int64_t>(made);
  // neighbours are counted apart: an equal one would wait for the count to be written
  const std::size_t places = length <= 1 << 14 ? static_cast<std::size_t>(length) : 0;
  std::vector<std::int64_t> others(places);
  std::int64_t* const apart = places ? others.data() : counts;
  const std::span numbers = elements_of<std::int64_t>(row);
  std::size_t i = 0;
  for (; i + 1 < numbers.size(); i += 2) {
    ++counts[numbers[i]];
    ++apart[numbers[i + 1]];
  }
  if (i < numbers.size()) ++counts[numbers[i]];
  for (std::size_t k = 0; k < places; ++k) counts[k] += others[k];
  return made;
}

}  // namespace

RunSums sum_runs(std::string_view who, const Array& positions, const Array& values,
                 std::int64_t extent) {
  const bool is_dense = extent / 4 <= positions.size() && positions.size() < 1LL << 32;
  if (!positions.device().is_host() || !is_dense) return by_order(who, positions, values);
  const Array at = to_host(contiguous(positions)), given = to_host(contiguous(values));
  switch (values.dtype().id) {
    case TypeId::float32: return by_counts<float>(at, given, extent);
    case TypeId::float64: return by_counts<double>(at, given, extent);
    default: return by_order(who, at, given);
  }
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
