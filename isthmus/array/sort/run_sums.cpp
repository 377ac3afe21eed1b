// run_sums.cpp: by a stable sort and passes over all elements.
#include "isthmus/array/sort/run_sums.h"

#include <span>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/sort/rows.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/array/sort/sort.h"

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
