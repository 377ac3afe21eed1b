// sort_keys.h: elements as unsigned numbers in the same order, and such numbers in order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "isthmus/runtime/executor.h"

namespace isthmus::host {

/// The unsigned type of a key for T.
template <class T>
using KeyOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Smaller keys come first. All NaNs have the last key, and zeros of both signs one key.
template <class T>
KeyOf<T> key_of(T x, bool is_descending) {
  using K = KeyOf<T>;
  constexpr K sign = static_cast<K>(K{1} << (8 * sizeof(K) - 1));
  K key;
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x) return std::numeric_limits<K>::max();
    const K bits = std::bit_cast<K>(x == 0 ? T(0) : x);
    key = static_cast<K>(bits & sign ? ~bits : bits | sign);
  } else if constexpr (std::is_signed_v<T>) {
    key = static_cast<K>(static_cast<K>(x) ^ sign);
  } else {
    key = x;
  }
  return is_descending ? static_cast<K>(~key) : key;
}

/// The element of a key; of a zero the positive one, of the last key of floats a NaN.
template <class T>
T element_of(KeyOf<T> key, bool is_descending) {
  using K = KeyOf<T>;
  constexpr K sign = static_cast<K>(K{1} << (8 * sizeof(K) - 1));
  if constexpr (std::is_floating_point_v<T>)
    if (key == std::numeric_limits<K>::max()) return std::numeric_limits<T>::quiet_NaN();
  if (is_descending) key = static_cast<K>(~key);
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(static_cast<K>(key & sign ? key ^ sign : ~key));
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(key ^ sign);
  else
    return key;
}

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

/// Items in the order of their keys, stably, by digits of eight bits from the lowest on. `items`
/// and `spare` have room for n each; says which of them has the result. Several threads share the
/// work of many items; the result is the same.
template <class Item>
Item* sort_by_digits(Item* items, Item* spare, std::int64_t n) {
  using K = decltype(key_in(items[0]));
  constexpr int digits = sizeof(K), values = 256;
  constexpr std::int64_t least = 1 << 16, most = 1 << 22;  // items of a part
  const std::int64_t wanted = std::clamp<std::int64_t>(n / thread_count() + 1, least, most);
  const std::int64_t part = std::max(wanted, (n + 1023) / 1024);
  const std::int64_t parts = (n + part - 1) / part;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(parts * values));
  const auto count = [&](int digit) {
    const auto one = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p) {
        std::int64_t* const own = counts.data() + p * values;
        std::fill(own, own + values, 0);
        const std::int64_t end = std::min(n, (p + 1) * part);
        for (std::int64_t i = p * part; i < end; ++i)
          ++own[(key_in(items[i]) >> (8 * digit)) & 255];
      }
    };
    parallel_for(parts, 1, one);
  };
  for (int digit = 0; digit < digits; ++digit) {
    count(digit);
    // counts to where the items of a part with a digit go; nothing moves if all have one digit
    std::int64_t next = 0;
    bool is_one = false;
    for (int value = 0; value < values; ++value) {
      const std::int64_t before = next;
      for (std::int64_t p = 0; p < parts; ++p) {
        std::int64_t& own = counts[static_cast<std::size_t>(p * values + value)];
        const std::int64_t here = own;
        own = next;
        next += here;
      }
      is_one = is_one || next - before == n;
    }
    if (is_one) continue;
    const auto move = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p) {
        std::int64_t* const to = counts.data() + p * values;
        const std::int64_t end = std::min(n, (p + 1) * part);
        for (std::int64_t i = p * part; i < end; ++i)
          spare[to[(key_in(items[i]) >> (8 * digit)) & 255]++] = items[i];
      }
    };
    parallel_for(parts, 1, move);
    std::swap(items, spare);
  }
  return items;
}

/// The same; few items by comparisons, since digits cost much to begin with.
template <class Item>
Item* sort_items(Item* items, Item* spare, std::int64_t n) {
  constexpr std::int64_t few = 300;
  if (n > few) return sort_by_digits(items, spare, n);
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

}  // namespace isthmus::host
