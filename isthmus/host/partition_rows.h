// partition_rows.h: what is at some places of a row in order put there, and the others about it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "isthmus/base/small_vector.h"
#include "isthmus/host/keys.h"
#include "isthmus/host/row_elements.h"
#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// A key, and where its elements are in order.
struct KeyPlace {
  std::uint64_t key;
  std::int64_t first, count;
  bool has(std::int64_t place) const { return first <= place && place < first + count; }
};

/// Finds the keys at some places of the order. A sample tells between which two keys each of them
/// is; those that lie between are put aside, and searched again. Should they be more than half,
/// which a sample of bad luck can do, they are sorted.
template <class K>
class KeySearch {
 public:
  /// `order`: of numbers of type K.
  explicit KeySearch(const KeyTable& order) : order_(order) {}

  /// The keys at `places`, which ascend, of `elements` that stand behind `before` others. `room`
  /// has room for as many keys, `order` is that of the elements. Threads share the work.
  template <class Elements>
  void find(const Elements& elements, std::span<const std::int64_t> places, std::int64_t before,
            K* room, const KeyTable& order, bool is_descending) {
    const std::int64_t n = elements.n;
    if (n <= few) {
      const auto put = [&](std::int64_t begin, std::int64_t count, const char* some) {
        order.to_keys(room + begin, some, count, is_descending);
      };
      elements.visit(0, divided_up(n, elements.piece()), put);
      return find_in_few(room, n, places, before);
    }
    K sample[most_samples];
    const std::int64_t samples = n < many ? few / 2 : most_samples;
    char chosen[most_samples * sizeof(K)], *next = chosen;
    elements.sample(samples, [&](const char* element) {
      std::memcpy(next, element, sizeof(K));
      next += sizeof(K);
    });
    order.to_keys(sample, chosen, samples, is_descending);
    sort(sample, samples);
    const auto around = [&](std::int64_t place) {
      const double share = (static_cast<double>(place - before) + 0.5) / static_cast<double>(n);
      const double at = share * static_cast<double>(samples);
      const double apart = 3 * std::sqrt(at * (1 - share)) + 1;
      return std::pair(static_cast<std::int64_t>(std::floor(at - apart)),
                       static_cast<std::int64_t>(std::ceil(at + apart)));
    };
    for (std::size_t i = 0; i < places.size();) {
      if (is_found(places[i])) {
        ++i;
        continue;
      }
      auto [low, high] = around(places[i]);
      std::size_t end = i + 1;
      for (; end < places.size() && around(places[end]).first <= high; ++end)
        high = around(places[end]).second;
      find_between(elements, places.subspan(i, end - i), before, low < 0 ? K{0} : sample[low],
                   high < samples ? sample[high] : last, room, order, is_descending);
      i = end;
    }
  }

  /// What find() found, in order.
  std::span<const KeyPlace> found() {
    std::ranges::sort(found_, {}, &KeyPlace::first);
    return found_;
  }

 private:
  static constexpr K last = std::numeric_limits<K>::max();
  static constexpr std::int64_t few = 512, many = 1 << 17, most_samples = 2048;

  template <class Elements>
  void find_between(const Elements& elements, std::span<const std::int64_t> places,
                    std::int64_t before, K low, K high, K* room, const KeyTable& order,
                    bool is_descending) {
    const auto those = [&](std::int64_t begin, std::int64_t end) {
      const auto first = std::ranges::lower_bound(places, begin);
      return std::span(first, std::ranges::lower_bound(places, end));
    };
    const std::int64_t n = elements.n;
    const KeyRange range = select(elements, {low, high, is_descending}, room, order);
    const std::int64_t low_begin = before + range.before, low_end = low_begin + range.at_low;
    const std::int64_t high_begin = low_end + range.inside, high_end = high_begin + range.at_high;
    if (!those(low_begin, low_end).empty()) found_.push_back({low, low_begin, range.at_low});
    if (!those(high_begin, high_end).empty()) found_.push_back({high, high_begin, range.at_high});
    if (const auto inside = those(low_end, high_begin); !inside.empty()) {
      constexpr std::int64_t bytes = sizeof(K);
      if (range.inside > n / 2)
        find_in_few(room, range.inside, inside, low_end);
      else
        find(DenseElements{reinterpret_cast<const char*>(room), range.inside, bytes}, inside,
             low_end, room + range.inside, order_, false);
    }
    // the sample was misleading
    if (const auto left = those(before, low_begin); !left.empty())
      find_between(elements, left, before, K{0}, static_cast<K>(low - 1), room, order,
                   is_descending);
    if (const auto right = those(high_end, before + n); !right.empty())
      find_between(elements, right, before, static_cast<K>(high + 1), last, room, order,
                   is_descending);
  }

  /// Keys inside the range to the front of `room`, and the counts.
  template <class Elements>
  static KeyRange select(const Elements& elements, KeyRange range, K* room, const KeyTable& order) {
    const ElementParts parts(elements);
    std::vector<KeyRange> own(static_cast<std::size_t>(parts.count), range);
    const auto room_of = [&](std::int64_t p) { return room + p * parts.size * elements.piece(); };
    parts.each([&](std::int64_t p, std::int64_t first, std::int64_t end) {
      elements.visit(first, end, [&](std::int64_t, std::int64_t count, const char* some) {
        order.select(room_of(p), own[static_cast<std::size_t>(p)], some, count);
      });
    });
    for (std::int64_t p = 0; p < parts.count; ++p) {
      const KeyRange& part = own[static_cast<std::size_t>(p)];
      std::copy(room_of(p), room_of(p) + part.inside, room + range.inside);
      range.before += part.before, range.at_low += part.at_low;
      range.inside += part.inside, range.at_high += part.at_high;
    }
    return range;
  }

  /// On this thread, by putting the keys in order as far as that is needed.
  void find_in_few(K* keys, std::int64_t n, std::span<const std::int64_t> places,
                   std::int64_t before) {
    if (order_.sort) sort(keys, n);
    for (const std::int64_t place : places) {
      if (is_found(place)) continue;
      K* const at = keys + (place - before);
      if (!order_.sort) std::nth_element(keys, at, keys + n);
      const K key = *at;
      const auto is_less = [&](K other) { return other < key; };
      const auto is_equal = [&](K other) { return other == key; };
      found_.push_back({key, before + std::count_if(keys, keys + n, is_less),
                        std::count_if(keys, keys + n, is_equal)});
    }
  }

  void sort(K* keys, std::int64_t n) {
    if (!order_.sort) return std::sort(keys, keys + n);
    const Bytes spare = allocate(n * static_cast<std::int64_t>(sizeof(K)));
    order_.sort(keys, spare.get(), n, false);
  }

  bool is_found(std::int64_t place) const {
    return std::ranges::any_of(found_, [&](const KeyPlace& one) { return one.has(place); });
  }

  const KeyTable& order_;
  std::vector<KeyPlace> found_;
};

/// Elements, or their indices, each in its part. What is in one part keeps its order.
template <class Elements>
void deal_in_parts(const Elements& elements, const KeyParts& keys, std::span<const KeyPlace> found,
                   char* to, const KeyTable& order) {
  const ElementParts parts(elements);
  const auto count = static_cast<std::size_t>(keys.count());
  // where elements of each part of these go; behind them where all have gone
  std::vector<std::int64_t> places(count * static_cast<std::size_t>(parts.count + 1), 0);
  const auto places_of = [&](std::int64_t p) { return places.data() + p * keys.count(); };
  const auto deal = [&](std::int64_t* next, const std::int64_t* ends, std::int64_t first,
                        std::int64_t last) {
    elements.visit(first, last, [&](std::int64_t begin, std::int64_t size, const char* some) {
      order.deal_parts(to, next, ends, keys, some, size, begin);
    });
  };
  std::vector<std::int64_t> begins(count + 1, 0);
  for (std::size_t k = 0; k < found.size(); ++k) {
    begins[2 * k + 1] = found[k].first;
    begins[2 * k + 2] = found[k].first + found[k].count;
  }
  begins[count] = elements.n;
  if (parts.count == 1 || thread_count() == 1) {  // one after another, without counts of each
    const std::vector<std::int64_t> ends(begins.begin() + 1, begins.end());
    for (std::int64_t p = 0; p < parts.count; ++p) {
      const auto work = [&](std::int64_t, std::int64_t) {
        deal(begins.data(), ends.data(), p * parts.size,
             std::min(parts.pieces, (p + 1) * parts.size));
      };
      parallel_for(1, 1, work);
    }
    return;
  }
  parts.each([&](std::int64_t p, std::int64_t first, std::int64_t last) {
    elements.visit(first, last, [&](std::int64_t, std::int64_t size, const char* some) {
      order.count_parts(places_of(p), keys, some, size);
    });
  });
  for (std::int64_t p = 0; p <= parts.count; ++p)
    for (std::size_t k = 0; k < count; ++k) begins[k] += std::exchange(places_of(p)[k], begins[k]);
  parts.each([&](std::int64_t p, std::int64_t first, std::int64_t last) {
    std::int64_t next[KeyParts::most_parts];
    std::copy(places_of(p), places_of(p + 1), next);
    deal(next, places_of(p + 1), first, last);
  });
}

/// A row such that what is at `places` is where it is in order, with none greater before and none
/// less behind.
template <class T>
void partition_row(const AlongAxes& rows, std::int64_t row, const Sorting& sorting,
                   std::span<const std::int64_t> places, const KeyTable& order,
                   const KeyTable& order_of_keys) {
  using K = KeyOf<T>;
  const std::int64_t n = rows.length, bytes = sizeof(T);
  const std::int64_t out_bytes = sorting.gives_indices ? sizeof(std::int64_t) : bytes;
  char* const out = rows.direct(row);
  const Bytes own = out ? Bytes(nullptr, std::free) : allocate(n * out_bytes);
  char* const to = out ? out : own.get();
  const RowElements elements{rows, row, n, bytes};
  KeySearch<K> search(order_of_keys);
  search.find(elements, places, 0, reinterpret_cast<K*>(to), order, sorting.is_descending);
  const std::span<const KeyPlace> found = search.found();
  KeyParts parts{{}, {}, sorting.is_descending, sorting.gives_indices};
  for (const KeyPlace& one : found) parts.at[parts.keys++] = one.key;
  deal_in_parts(elements, parts, found, to, order);
  if (out) return;
  const Bytes stored =
      is_half(rows.program.accumulator) ? allocate(2 * n) : Bytes(nullptr, std::free);
  rows.write(row, 0, n, to, stored.get());
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
