// run_sums.cpp: by a stable sort and passes over all elements; on the host by loops.
#include "isthmus/array/sort/run_sums.h"

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
std::span<const T> elements_of(const Array& x) {
  const auto* first = static_cast<const T*>(x.storage()->memory()->host) + x.layout().offset;
  return {first, static_cast<std::size_t>(x.size())};
}

/// The same on the host, where values are put in order by counting positions.
template <class T>
RunSums by_counts(const Array& positions, const Array& values, std::int64_t extent) {
  const std::span at = elements_of<std::int64_t>(positions);
  const std::span given = elements_of<T>(values);
  const auto places = static_cast<std::size_t>(extent);
  std::vector<std::size_t> end(places + 1);  // of each run, once all are in place
  for (const std::int64_t position : at) ++end[static_cast<std::size_t>(position) + 1];
  for (std::size_t i = 0; i < places; ++i) end[i + 1] += end[i];
  std::vector<T> ordered(given.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    ordered[end[static_cast<std::size_t>(at[i])]++] = given[i];
  std::vector<std::int64_t> found(places, -1);
  std::vector<T> sums(places);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < places; ++i) {
    T* const run = ordered.data() + begin;
    const std::size_t length = end[i] - begin;
    for (std::size_t step = 1; step < length; step *= 2)
      for (std::size_t k = 0; k + step < length; k += 2 * step) run[k] += run[k + step];
    if (length) found[i] = static_cast<std::int64_t>(i), sums[i] = run[0];
    begin = end[i];
  }
  return {Array(std::move(found)), Array(std::move(sums))};
}

Array counted_here(const Array& row, std::int64_t length) {
  const Array made = to_host(zeros(Shape{length}, TypeId::int64, row.device()));
  auto* const counts = static_cast<std::int64_t*>(made.storage()->memory()->host);
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
  const bool is_dense = extent / 4 <= positions.size();
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
