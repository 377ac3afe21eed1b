// sort_cells.h: many keys in order, on several threads, by cells that vectors then sort.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "isthmus/host/row_elements.h"
#include "isthmus/host/rows.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Keys of a sample that tells how to cut cells.
inline constexpr int sample_size = 2048;

/// So many keys of type K at most are sorted on one thread.
template <class K>
inline constexpr std::int64_t most_of_a_cell = (1 << 24) / sizeof(K);

/// So many cells that threads share them evenly, and that most are sorted on one thread. With more
/// of them dealing takes longer than the splits that it saves.
template <class K>
int cell_count(std::int64_t n) {
  const std::int64_t wanted =
      std::max<std::int64_t>(2 * thread_count(), divided_up(n, most_of_a_cell<K> / 2));
  return static_cast<int>(std::min<std::int64_t>(wanted, KeyCells::most));
}

/// Cells of about as many keys of a sample of n, which is in order. A key that has more of the
/// sample than a cell has a cell of its own.
template <class K>
KeyCells cells_of(const K* sample, std::int64_t n) {
  KeyCells cells{};
  cells.count = cell_count<K>(n);
  for (int i = 1; i < cells.count; ++i) {
    const K low = sample[i * sample_size / cells.count];
    const auto before = static_cast<K>(cells.lows[i - 1]);
    const auto next = static_cast<K>(before + (before < std::numeric_limits<K>::max()));
    cells.lows[i] = std::max(low, next);  // none is below the one before it
  }
  return cells;
}

/// The keys of `elements` in `keys`, each in its cell. Gives where cells begin, and n behind them.
template <class K, class Elements>
std::vector<std::int64_t> deal_to_cells(const Elements& elements, K* keys, bool is_descending,
                                        const KeyTable& order) {
  K sample[sample_size], spare[sample_size];
  K* next_key = sample;
  elements.sample(sample_size, [&](const char* element) {
    order.to_keys(next_key++, element, 1, is_descending);
  });
  order.sort(sample, spare, sample_size, false);
  const KeyCells cells = cells_of(sample, elements.n);
  const std::int64_t count = cells.count, n = elements.n;
  const ElementParts all(elements);
  const std::int64_t parts = all.count;
  // where the keys of each part go, cell by cell; behind them where the last ones end
  std::vector<std::int64_t> places(static_cast<std::size_t>(count * (parts + 1)), 0);
  const auto places_of = [&](std::int64_t p) { return places.data() + count * p; };
  all.each([&](std::int64_t p, std::int64_t first, std::int64_t last) {
    elements.visit(first, last, [&](std::int64_t begin, std::int64_t size, const char* some) {
      elements.note(begin, order.count(places_of(p), cells, some, size, is_descending));
    });
  });
  std::vector<std::int64_t> starts(static_cast<std::size_t>(count + 1), n);
  std::int64_t next = 0;
  for (std::int64_t cell = 0; cell < count; ++cell) {
    starts[static_cast<std::size_t>(cell)] = next;
    for (std::int64_t p = 0; p < parts; ++p) next += std::exchange(places_of(p)[cell], next);
    places_of(parts)[cell] = next;
  }
  all.each([&](std::int64_t p, std::int64_t first, std::int64_t last) {
    std::int64_t own[KeyCells::most];
    std::copy(places_of(p), places_of(p + 1), own);
    elements.visit(first, last, [&](std::int64_t, std::int64_t size, const char* some) {
      order.deal(keys, own, places_of(p + 1), cells, some, size, is_descending);
    });
  });
  return starts;
}

/// Calls f(begin, count) for cells of keys of type K: for a large one, whose keys threads share, on
/// this thread, for the others on all of them.
template <class K, class Large, class Small>
void each_cell(const std::vector<std::int64_t>& starts, Large large, Small small) {
  const std::int64_t n = starts.back(), cells = std::ssize(starts) - 1;
  constexpr std::int64_t least = 1 << 16;
  const std::int64_t limit = std::clamp(2 * n / cells, least, most_of_a_cell<K>);
  const auto begin_of = [&](std::int64_t cell) { return starts[static_cast<std::size_t>(cell)]; };
  const auto size_of = [&](std::int64_t cell) { return begin_of(cell + 1) - begin_of(cell); };
  for (std::int64_t cell = 0; cell < cells; ++cell)
    if (size_of(cell) > limit) large(begin_of(cell), size_of(cell));
  const auto work = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t cell = first; cell < last; ++cell)
      if (size_of(cell) && size_of(cell) <= limit) small(begin_of(cell), size_of(cell));
  };
  parallel_for(cells, 1, work);
}

/// Keys in order, in place or in `spare`, which has room for as many. What cells do not tell apart
/// is cut into cells again, `rounds` times at most.
template <class K>
void sort_shared(K* keys, K* spare, std::int64_t n, bool ends_in_spare, const KeyTable& order,
                 int rounds) {
  if (std::all_of(keys, keys + n, [&](K key) { return key == keys[0]; })) {
    if (ends_in_spare) std::copy(keys, keys + n, spare);
    return;
  }
  if (rounds == 0) return order.sort(keys, spare, n, ends_in_spare);
  const DenseElements elements{reinterpret_cast<const char*>(keys), n, sizeof(K)};
  const auto starts = deal_to_cells(elements, spare, false, order);
  each_cell<K>(
      starts,
      [&](std::int64_t begin, std::int64_t count) {
        sort_shared(spare + begin, keys + begin, count, !ends_in_spare, order, rounds - 1);
      },
      [&](std::int64_t begin, std::int64_t count) {
        order.sort(spare + begin, keys + begin, count, !ends_in_spare);
      });
}

/// The keys of `elements` in order. Calls finish(begin, count) once those keys are where they
/// belong. `order` is that of the elements, `order_of_keys` that of numbers of type K.
template <class K, class Elements, class Finish>
void sort_in_cells(const Elements& elements, K* keys, bool is_descending, const KeyTable& order,
                   const KeyTable& order_of_keys, Finish finish) {
  constexpr int rounds = 16;
  const auto starts = deal_to_cells(elements, keys, is_descending, order);
  const auto bytes_of = [](std::int64_t n) { return n * static_cast<std::int64_t>(sizeof(K)); };
  Bytes spare(nullptr, std::free);
  std::int64_t room = 0;
  each_cell<K>(
      starts,
      [&](std::int64_t begin, std::int64_t count) {
        if (room < count) {
          spare.reset();
          spare = allocate(bytes_of(count + count / 8));  // that the next one may have room, too
          room = count + count / 8;
        }
        sort_shared(keys + begin, reinterpret_cast<K*>(spare.get()), count, false, order_of_keys,
                    rounds);
        const auto work = [&](std::int64_t first, std::int64_t last) {
          finish(begin + first, last - first);
        };
        parallel_for(count, 1 << 16, work);
      },
      [&](std::int64_t begin, std::int64_t count) {
        order.sort(keys + begin, thread_scratch(bytes_of(count)), count, false);
        finish(begin, count);
      });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
