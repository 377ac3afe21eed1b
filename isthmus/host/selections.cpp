// selections.cpp: elements about some keys counted, chosen, and parted by them.
#include <bit>

#include "isthmus/host/key_rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {

namespace {

/// Whether vectors take elements of T, or loops one after another.
#if defined(__AVX2__)
template <class T>
concept HasVectors = sizeof(T) >= 4;
#else
template <class T>
concept HasVectors = false;
#endif

/// Calls f(keys, begin, count) for blocks of elements.
template <class T, bool is_descending, class F>
void each_block(const char* elements, std::int64_t n, F f) {
  constexpr std::int64_t block = 512;
  KeyOf<T> keys[block];
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t count = std::min(block, n - begin);
    make_keys<T, is_descending>(keys, elements + begin * static_cast<std::int64_t>(sizeof(T)),
                                count);
    f(keys, begin, count);
  }
}

template <class T, bool is_descending>
  requires(!HasVectors<T>)
void select_in(KeyOf<T>* to, KeyRange& range, const char* elements, std::int64_t n) {
  using K = KeyOf<T>;
  const auto low = static_cast<K>(range.low), high = static_cast<K>(range.high);
  std::int64_t inside = range.inside;
  each_block<T, is_descending>(elements, n, [&](const K* keys, std::int64_t, std::int64_t count) {
    std::int32_t before = 0, at_low = 0, behind = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      before += keys[i] < low;
      at_low += keys[i] == low;
      behind += keys[i] > high;
    }
    const std::int64_t known = inside;
    for (std::int64_t i = 0; i < count; ++i) {  // what is put behind the last one is put again
      to[inside] = keys[i];
      inside += (low < keys[i]) & (keys[i] < high);
    }
    range.before += before;
    range.at_low += at_low;
    range.at_high += count - before - at_low - (inside - known) - behind;
  });
  range.inside = inside;
}

/// The part of each key.
template <class K>
void find_parts(K* found, const KeyParts& parts, const K* keys, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) found[i] = 0;
  for (int j = 0; j < parts.keys; ++j) {
    const auto at = static_cast<K>(parts.at[j]);
    for (std::int64_t i = 0; i < n; ++i)
      found[i] = static_cast<K>(found[i] + (keys[i] >= at) + (keys[i] > at));
  }
}

template <class T, bool is_descending>
  requires(!HasVectors<T>)
void count_in(std::int64_t* counts, const KeyParts& parts, const char* elements, std::int64_t n) {
  using K = KeyOf<T>;
  each_block<T, is_descending>(elements, n, [&](const K* keys, std::int64_t, std::int64_t count) {
    K found[512];
    find_parts(found, parts, keys, count);
    for (std::int64_t i = 0; i < count; ++i) ++counts[found[i]];
  });
}

template <class T, bool is_descending, bool gives_indices>
  requires(!HasVectors<T>)
void deal_in(void* to, std::int64_t* next, const std::int64_t*, const KeyParts& parts,
             const char* elements, std::int64_t n, std::int64_t first) {
  using K = KeyOf<T>;
  each_block<T, is_descending>(
      elements, n, [&](const K* keys, std::int64_t begin, std::int64_t count) {
        K found[512];
        find_parts(found, parts, keys, count);
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t place = next[found[i]]++;
          if constexpr (gives_indices)
            static_cast<std::int64_t*>(to)[place] = first + begin + i;
          else
            std::memcpy(static_cast<T*>(to) + place,
                        elements + (begin + i) * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
        }
      });
}

#if defined(__AVX2__)
// the same by vectors, for keys of 32 and 64 bits

template <class T, bool is_descending>
  requires HasVectors<T>
void select_in(KeyOf<T>* to, KeyRange& range, const char* elements, std::int64_t n) {
  using K = KeyOf<T>;
  using V = Vectors<K>;
  using Mask = typename V::Mask;
  const auto low = V::all(static_cast<K>(range.low)), high = V::all(static_cast<K>(range.high));
  std::int64_t from_low = 0, behind_low = 0, from_high = 0, behind_high = 0;
  std::int64_t inside = range.inside;
  each_vector<T, is_descending>(elements, n, [&](auto key, Mask there, std::int64_t) {
    const auto is_from_low = static_cast<Mask>(there & V::is_at_most(low, key));
    const auto is_behind_low = static_cast<Mask>(there & V::is_less(low, key));
    const auto is_from_high = static_cast<Mask>(there & V::is_at_most(high, key));
    from_low += count_of(is_from_low);
    behind_low += count_of(is_behind_low);
    from_high += count_of(is_from_high);
    behind_high += count_of(there & V::is_less(high, key));
    const auto is_inside = static_cast<Mask>(is_behind_low & ~is_from_high);
    const std::int64_t count = count_of(is_inside);
    const auto chosen = V::compress(is_inside, key);
    if (there == V::first(V::lanes))
      V::store(to + inside, chosen);  // there is room for all that were looked at
    else
      V::store_first(to + inside, count, chosen);
    inside += count;
  });
  range.before += n - from_low;
  range.at_low += from_low - behind_low;
  if (range.low != range.high) range.at_high += from_high - behind_high;
  range.inside = inside;
}

/// Calls f(part, mask) for the parts that a vector of keys has.
template <class K, class F>
void each_part(const KeyParts& parts, const typename Vectors<K>::Vector* at,
               typename Vectors<K>::Vector key, typename Vectors<K>::Mask there, F f) {
  using V = Vectors<K>;
  using Mask = typename V::Mask;
  Mask from = there;
  for (int j = 0; j < parts.keys; ++j) {
    const auto is_from = static_cast<Mask>(from & V::is_at_most(at[j], key));
    const auto is_behind = static_cast<Mask>(is_from & V::is_less(at[j], key));
    if (from != is_from) f(2 * j, static_cast<Mask>(from & ~is_from));
    if (is_from != is_behind) f(2 * j + 1, static_cast<Mask>(is_from & ~is_behind));
    from = is_behind;
  }
  if (from) f(2 * parts.keys, from);
}

template <class T, bool is_descending>
  requires HasVectors<T>
void count_in(std::int64_t* counts, const KeyParts& parts, const char* elements, std::int64_t n) {
  using K = KeyOf<T>;
  using V = Vectors<K>;
  using Mask = typename V::Mask;
  // of each key how many elements are from there on, and behind it
  std::int64_t from[KeyParts::most + 1] = {}, behind[KeyParts::most] = {};
  typename V::Vector at[KeyParts::most];
  for (int j = 0; j < parts.keys; ++j) at[j] = V::all(static_cast<K>(parts.at[j]));
  each_vector<T, is_descending>(elements, n, [&](auto key, Mask there, std::int64_t) {
    for (int j = 0; j < parts.keys; ++j) {
      from[j] += count_of(there & V::is_at_most(at[j], key));
      behind[j] += count_of(there & V::is_less(at[j], key));
    }
  });
  std::int64_t rest = n;
  for (int j = 0; j < parts.keys; ++j) {
    counts[2 * j] += rest - from[j];
    counts[2 * j + 1] += from[j] - behind[j];
    rest = behind[j];
  }
  counts[2 * parts.keys] += rest;
}

template <class T, bool is_descending, bool gives_indices>
  requires HasVectors<T>
void deal_in(void* out, std::int64_t* next, const std::int64_t* ends, const KeyParts& parts,
             const char* elements, std::int64_t n, std::int64_t first) {
  using K = KeyOf<T>;
  using V = Vectors<K>;
  using Mask = typename V::Mask;
  typename V::Vector at[KeyParts::most];
  for (int j = 0; j < parts.keys; ++j) at[j] = V::all(static_cast<K>(parts.at[j]));
  using Out = std::conditional_t<gives_indices, std::uint64_t, K>;
  Out* const to = static_cast<Out*>(out);
  Out* places[KeyParts::most_parts];
  for (int part = 0; part < parts.count(); ++part) places[part] = to + next[part];
  each_vector<T, is_descending>(elements, n, [&](auto key, Mask there, std::int64_t i) {
    if constexpr (gives_indices) {
      using Half = Vectors<std::uint64_t>;  // indices take up to two vectors
      constexpr int half = Half::lanes;
      const auto all = Half::first(half);
      const auto index =
          Half::add(Half::numbers(), Half::all(static_cast<std::uint64_t>(first + i)));
      each_part<K>(parts, at, key, there, [&](int part, Mask mask) {
        Out*& place = places[part];
        place = put<Out>(place, to + ends[part], static_cast<Half::Mask>(mask & all), index);
        if constexpr (V::lanes > half)
          place = put<Out>(place, to + ends[part], static_cast<Half::Mask>(mask >> half),
                           Half::add(index, Half::all(half)));
      });
    } else {
      const auto x = V::load_first(elements + i * static_cast<std::int64_t>(sizeof(T)),
                                   count_of(there), typename V::Vector{});
      each_part<K>(parts, at, key, there, [&](int part, Mask mask) {
        places[part] = put<Out>(places[part], to + ends[part], mask, x);
      });
    }
  });
  for (int part = 0; part < parts.count(); ++part) next[part] = places[part] - to;
}
#endif

template <class T>
void select(void* keys, KeyRange& range, const void* elements, std::int64_t n) {
  auto* const to = static_cast<KeyOf<T>*>(keys);
  const auto* const in = static_cast<const char*>(elements);
  range.is_descending ? select_in<T, true>(to, range, in, n)
                      : select_in<T, false>(to, range, in, n);
}

template <class T>
void count_parts(std::int64_t* counts, const KeyParts& parts, const void* elements,
                 std::int64_t n) {
  const auto* const in = static_cast<const char*>(elements);
  parts.is_descending ? count_in<T, true>(counts, parts, in, n)
                      : count_in<T, false>(counts, parts, in, n);
}

template <class T, bool is_descending>
void deal_to(void* to, std::int64_t* next, const std::int64_t* ends, const KeyParts& parts,
             const char* elements, std::int64_t n, std::int64_t first) {
  parts.gives_indices ? deal_in<T, is_descending, true>(to, next, ends, parts, elements, n, first)
                      : deal_in<T, is_descending, false>(to, next, ends, parts, elements, n, first);
}
template <class T>
void deal_parts(void* to, std::int64_t* next, const std::int64_t* ends, const KeyParts& parts,
                const void* elements, std::int64_t n, std::int64_t first) {
  const auto* const in = static_cast<const char*>(elements);
  parts.is_descending ? deal_to<T, true>(to, next, ends, parts, in, n, first)
                      : deal_to<T, false>(to, next, ends, parts, in, n, first);
}

template <class T>
void fill(RowTable& table, TypeId type) {
  KeyTable& keys = table.keys[static_cast<int>(type)];
  keys.select = select<T>;
  keys.count_parts = count_parts<T>;
  keys.deal_parts = deal_parts<T>;
}

}  // namespace

void fill_selections(RowTable& table) {
  each_key_type([&]<class T>(T, TypeId type) { fill<T>(table, type); });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
