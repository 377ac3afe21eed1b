// sort_keys.h: unsigned keys in order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "isthmus/host/rows.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// A key and where its element was.
template <class K, class I>
struct Keyed {
  K key;
  I index;
};
template <class K>
K key_in(K item) {
  return item;
}
template <class K, class I>
K key_in(const Keyed<K, I>& item) {
  return item.key;
}

/// Items in the order of the lowest `bits` bits of their keys, stably, on this thread. `items` and
/// `spare` have room for n each; says which of them has the result.
template <class Item>
Item* sort_by_low_digits(Item* items, Item* spare, std::int64_t n, int bits) {
  constexpr int values = 256, most_digits = 8;
  const int digits = (bits + 7) / 8;
  std::int64_t counts[most_digits][values] = {};
  for (std::int64_t i = 0; i < n; ++i)
    for (int digit = 0; digit < digits; ++digit)
      ++counts[digit][(key_in(items[i]) >> (8 * digit)) & 255];
  for (int digit = 0; digit < digits; ++digit) {
    std::int64_t* const to = counts[digit];
    if (to[(key_in(items[0]) >> (8 * digit)) & 255] == n) continue;  // all have one digit
    std::int64_t next = 0;
    for (int value = 0; value < values; ++value) next += std::exchange(to[value], next);
    for (std::int64_t i = 0; i < n; ++i)
      spare[to[(key_in(items[i]) >> (8 * digit)) & 255]++] = items[i];
    std::swap(items, spare);
  }
  return items;
}

/// So few items are sorted by comparisons, since digits cost much to begin with.
inline constexpr std::int64_t few_items = KeyTable::most_ranked;
template <class Item>
Item* sort_items(Item* items, Item* spare, std::int64_t n);

/// Items in the order of their keys, stably: first the highest bits in which keys differ part them
/// into buckets that the caches hold, then each bucket is put in order. Threads share the work; the
/// result is the same.
template <class Item>
Item* sort_by_buckets(Item* items, Item* spare, std::int64_t n) {
  constexpr int bucket_bits = 11;
  constexpr std::int64_t buckets = std::int64_t{1} << bucket_bits, least = 1 << 15, most = 1 << 23;
  constexpr std::int64_t large = 1 << 19;  // of such a bucket threads share the work again
  const std::int64_t part = std::clamp(n / (2 * thread_count()) + 1, least, most);
  const std::int64_t parts = (n + part - 1) / part;
  const auto each_part = [&](auto f) {
    const auto work = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p) f(p, p * part, std::min(n, (p + 1) * part));
    };
    parallel_for(parts, 1, work);
  };
  std::vector<std::uint64_t> differing(static_cast<std::size_t>(parts));
  each_part([&](std::int64_t p, std::int64_t begin, std::int64_t end) {
    std::uint64_t bits = 0;
    for (std::int64_t i = begin; i < end; ++i)
      bits |= static_cast<std::uint64_t>(key_in(items[i]) ^ key_in(items[0]));
    differing[static_cast<std::size_t>(p)] = bits;
  });
  std::uint64_t all = 0;
  for (const std::uint64_t bits : differing) all |= bits;
  const int low_bits = std::max(0, static_cast<int>(std::bit_width(all)) - bucket_bits);
  const auto bucket_of = [&](const Item& item) {
    return static_cast<std::int64_t>(key_in(item) >> low_bits) & (buckets - 1);
  };
  std::vector<std::int64_t> counts(static_cast<std::size_t>(parts * buckets), 0);
  each_part([&](std::int64_t p, std::int64_t begin, std::int64_t end) {
    std::int64_t* const own = counts.data() + p * buckets;
    for (std::int64_t i = begin; i < end; ++i) ++own[bucket_of(items[i])];
  });
  std::vector<std::int64_t> starts(static_cast<std::size_t>(buckets + 1), n);
  std::int64_t next = 0;
  for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
    starts[static_cast<std::size_t>(bucket)] = next;
    for (std::int64_t p = 0; p < parts; ++p)
      next += std::exchange(counts[static_cast<std::size_t>(p * buckets + bucket)], next);
  }
  each_part([&](std::int64_t p, std::int64_t begin, std::int64_t end) {
    std::int64_t* const to = counts.data() + p * buckets;
    for (std::int64_t i = begin; i < end; ++i) spare[to[bucket_of(items[i])]++] = items[i];
  });
  if (low_bits == 0) return spare;
  const auto finish = [&](std::int64_t bucket) {
    const std::int64_t begin = starts[static_cast<std::size_t>(bucket)];
    const std::int64_t count = starts[static_cast<std::size_t>(bucket + 1)] - begin;
    if (count < 2) return;
    Item* const sorted = count > large || count <= few_items
                             ? sort_items(spare + begin, items + begin, count)
                             : sort_by_low_digits(spare + begin, items + begin, count, low_bits);
    if (sorted != spare + begin) std::copy(sorted, sorted + count, spare + begin);
  };
  const auto size_of = [&](std::int64_t bucket) {
    return starts[static_cast<std::size_t>(bucket + 1)] - starts[static_cast<std::size_t>(bucket)];
  };
  for (std::int64_t bucket = 0; bucket < buckets; ++bucket)
    if (size_of(bucket) > large) finish(bucket);
  const auto small = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t bucket = first; bucket < last; ++bucket)
      if (size_of(bucket) <= large) finish(bucket);
  };
  parallel_for(buckets, 8, small);
  return spare;
}

/// Items in the order of their keys, stably; says whether `items` or `spare` has them.
template <class Item>
Item* sort_items(Item* items, Item* spare, std::int64_t n) {
  constexpr std::int64_t many = 1 << 15;
  if (n > many) return sort_by_buckets(items, spare, n);
  if (n > few_items)
    return sort_by_low_digits(items, spare, n, 8 * static_cast<int>(sizeof key_in(items[0])));
  if (n <= 24) {
    for (std::int64_t i = 1; i < n; ++i) {
      const Item item = items[i];
      std::int64_t k = i;
      for (; k > 0 && key_in(item) < key_in(items[k - 1]); --k) items[k] = items[k - 1];
      items[k] = item;
    }
    return items;
  }
  // runs of two halves, merged
  const std::int64_t half = n / 2;
  const Item* a = sort_items(items, spare, half);
  const Item* b = sort_items(items + half, spare + half, n - half);
  if (a != items) std::copy(a, a + half, items);
  if (b != items + half) std::copy(b, b + (n - half), items + half);
  std::merge(items, items + half, items + half, items + n, spare,
             [](const Item& x, const Item& y) { return key_in(x) < key_in(y); });
  return spare;
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
