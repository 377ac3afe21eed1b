// sorts.cpp: elements to keys and back, and keys in order by vectors that compress what a mask
// selects.
#include <cstring>

#include "isthmus/host/key_rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {

namespace {

template <class T>
int to_keys(void* keys, const void* elements, std::int64_t n, bool is_descending) {
  auto* const out = static_cast<KeyOf<T>*>(keys);
  const auto* const in = static_cast<const char*>(elements);
  return is_descending ? make_keys<T, true>(out, in, n) : make_keys<T, false>(out, in, n);
}

template <class T, bool is_descending>
void make_elements(char* elements, const KeyOf<T>* keys, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const T x = element_of<T>(keys[i], is_descending);
    std::memcpy(elements + i * static_cast<std::int64_t>(sizeof(T)), &x, sizeof x);
  }
}

/// The elements may lie where the keys do.
template <class T>
void from_keys(void* elements, const void* keys, std::int64_t n, bool is_descending) {
  auto* const out = static_cast<char*>(elements);
  const auto* const in = static_cast<const KeyOf<T>*>(keys);
  is_descending ? make_elements<T, true>(out, in, n) : make_elements<T, false>(out, in, n);
}

}  // namespace

#if defined(__AVX2__)
namespace {

/// Parts keys in two: those that are at most the pivot, or less than it, which stay at the front of
/// `data`, and the others, which go to the back of the n places of `other`. Says how many stay.
template <class K>
std::int64_t part(K* data, K* other, std::int64_t n, typename Vectors<K>::Vector pivots,
                  bool is_strict) {
  using V = Vectors<K>;
  using Vector = typename V::Vector;
  using Mask = typename V::Mask;
  std::int64_t staying = 0, i = 0;
  const auto stays = [&](Vector x) {
    return is_strict ? V::is_less(x, pivots) : V::is_at_most(x, pivots);
  };
  // What else a vector stores is read already, or written again.
  K* to = other + n - V::lanes;
  const auto put = [&](Vector x, Mask is) {
    const auto halves = V::split(is, x);
    V::store(data + staying, halves.front);
    V::store(to + staying, halves.back);
    to -= V::lanes;
    staying += count_of(is);
  };
  constexpr int group = 8;
  for (; i + group * V::lanes <= n; i += group * V::lanes) {
    Vector x[group];
#pragma GCC unroll 8
    for (int v = 0; v < group; ++v) x[v] = V::load(data + i + v * V::lanes);
#pragma GCC unroll 8
    for (int v = 0; v < group; ++v) put(x[v], stays(x[v]));
  }
  for (; i + V::lanes <= n; i += V::lanes) {
    const Vector x = V::load(data + i);
    put(x, stays(x));
  }
  if (i < n) {
    const Mask there = V::first(n - i);
    const Vector x = V::load_first(data + i, n - i, Vector{});
    const auto is = static_cast<Mask>(stays(x) & there);
    const auto is_not = static_cast<Mask>(~is & there);
    const std::int64_t count = count_of(is);
    V::store_first(data + staying, count, V::compress(is, x));
    V::store_first(other + staying + count, count_of(is_not), V::compress(is_not, x));
    staying += count;
  }
  return staying;
}

/// A key near the middle: of a sample at even distances, from a place that no pattern foresees.
template <class K, int rows>
K pivot_of(const K* keys, std::int64_t n, std::uint64_t& random) {
  constexpr int count = rows * Vectors<K>::lanes;
  random = random * 6364136223846793005u + 1442695040888963407u;
  const auto apart = static_cast<std::uint64_t>(n) / count;
  const K* next = keys + (random >> 33) % apart;
  K sample[count];
  for (K& key : sample) key = *next, next += apart;
  Network<K, rows>::sort(sample, sample, count);
  return sample[count / 2 - 1];
}

/// Keys of `data` in order, there or in `other`, which has room for as many. A part of them stays,
/// the rest goes to the same places of the other memory: nothing is copied back.
template <class K>
void sort_by_splits(K* data, K* other, std::int64_t n, bool ends_in_other, std::uint64_t random) {
  while (n > few<K>) {
    const K pivot =
        n < 16 * few<K> ? pivot_of<K, 1>(data, n, random) : pivot_of<K, 4>(data, n, random);
    const auto pivots = Vectors<K>::all(pivot);
    const std::int64_t first = part<K>(data, other, n, pivots, false);
    if (first == n) {  // the pivot is the largest: all that equal it are in order already
      n = part<K>(data, other, n, pivots, true);
      K* const to = ends_in_other ? other : data;
      std::fill(to + n, to + first, pivot);
      continue;
    }
    // the smaller part by a call, so that calls are at most 64 deep
    const std::int64_t second = n - first;
    if (first < second) {
      sort_by_splits(data, other, first, ends_in_other, random);
      std::swap(data, other);
      data += first, other += first, ends_in_other = !ends_in_other, n = second;
    } else {
      sort_by_splits(other + first, data + first, second, !ends_in_other, random);
      n = first;
    }
  }
  sort_few(data, ends_in_other ? other : data, n);
}

template <class K>
void sort_keys(void* keys, void* spare, std::int64_t n, bool ends_in_spare) {
  sort_by_splits(static_cast<K*>(keys), static_cast<K*>(spare), n, ends_in_spare,
                 static_cast<std::uint64_t>(n));
}

/// Rows of small integers are sorted as numbers of 32 bits, for which there are vectors.
template <class T>
using RowKeyOf = std::conditional_t<(sizeof(T) < 4), std::uint32_t, KeyOf<T>>;
/// A piece of a row; larger elements gain nothing from so many.
template <class T>
inline constexpr std::int64_t most_in_row = sizeof(T) < 4 ? 4096 : 512;

template <class T, bool is_descending>
int put_in_order(char* out, const char* elements, std::int64_t n) {
  using K = RowKeyOf<T>;
  K keys[most_in_row<T>], spare[most_in_row<T>];
  int flags = no_flags;
  if constexpr (sizeof(T) < 4) {
    for (std::int64_t i = 0; i < n; ++i) {
      T x;
      std::memcpy(&x, elements + i * static_cast<std::int64_t>(sizeof(T)), sizeof x);
      keys[i] = key_of(x, is_descending);
    }
  } else {
    flags = make_keys<T, is_descending>(keys, elements, n);
  }
  if (n <= few<K>)
    sort_few(keys, keys, n);
  else
    sort_by_splits(keys, spare, n, false, static_cast<std::uint64_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const T x = element_of<T>(static_cast<KeyOf<T>>(keys[i]), is_descending);
    std::memcpy(out + i * static_cast<std::int64_t>(sizeof(T)), &x, sizeof x);
  }
  return flags;
}

template <class T>
int sort_row(void* out, const void* elements, std::int64_t n, bool is_descending) {
  auto* const to = static_cast<char*>(out);
  const auto* const in = static_cast<const char*>(elements);
  return is_descending ? put_in_order<T, true>(to, in, n) : put_in_order<T, false>(to, in, n);
}

template <class T, bool is_descending>
int count_in(std::int64_t* counts, const KeyCells& cells, const char* elements, std::int64_t n) {
  using K = KeyOf<T>;
  using V = Vectors<K>;
  std::int64_t from[KeyCells::most + 1] = {n};  // those of a cell and of all that follow
  typename V::Vector lows[KeyCells::most];
  for (int cell = 0; cell < cells.count; ++cell)
    lows[cell] = V::all(static_cast<K>(cells.lows[cell]));
  const int flags =
      each_vector<T, is_descending>(elements, n, [&](auto key, auto there, std::int64_t) {
        for (int cell = 1; cell < cells.count; ++cell)
          from[cell] += count_of(V::is_at_most(lows[cell], key) & there);
      });
  for (int cell = 0; cell < cells.count; ++cell) counts[cell] += from[cell] - from[cell + 1];
  return flags;
}

template <class T>
int count_cells(std::int64_t* counts, const KeyCells& cells, const void* elements, std::int64_t n,
                bool is_descending) {
  const auto* const in = static_cast<const char*>(elements);
  return is_descending ? count_in<T, true>(counts, cells, in, n)
                       : count_in<T, false>(counts, cells, in, n);
}

template <class T, bool is_descending>
void deal_to(KeyOf<T>* to, std::int64_t* next, const std::int64_t* ends, const KeyCells& cells,
             const char* elements, std::int64_t n) {
  using K = KeyOf<T>;
  using V = Vectors<K>;
  using Mask = typename V::Mask;
  K* places[KeyCells::most];
  typename V::Vector lows[KeyCells::most];
  for (int cell = 0; cell < cells.count; ++cell) {
    places[cell] = to + next[cell];
    lows[cell] = V::all(static_cast<K>(cells.lows[cell]));
  }
  const int last = cells.count - 1;
  each_vector<T, is_descending>(elements, n, [&](auto key, Mask there, std::int64_t) {
    const auto put_to = [&](int cell, Mask is) {
      places[cell] = put<K>(places[cell], to + ends[cell], is, key);
    };
    Mask from = there;
    for (int cell = 0; cell < last; ++cell) {
      const auto behind = static_cast<Mask>(there & V::is_at_most(lows[cell + 1], key));
      put_to(cell, static_cast<Mask>(from & ~behind));
      from = behind;
    }
    put_to(last, from);
  });
  for (int cell = 0; cell < cells.count; ++cell) next[cell] = places[cell] - to;
}

template <class T>
void deal(void* keys, std::int64_t* next, const std::int64_t* ends, const KeyCells& cells,
          const void* elements, std::int64_t n, bool is_descending) {
  auto* const to = static_cast<KeyOf<T>*>(keys);
  const auto* const in = static_cast<const char*>(elements);
  is_descending ? deal_to<T, true>(to, next, ends, cells, in, n)
                : deal_to<T, false>(to, next, ends, cells, in, n);
}

}  // namespace
#endif

namespace {

template <class T>
void fill(RowTable& table, TypeId type) {
  KeyTable& keys = table.keys[static_cast<int>(type)];
  keys.to_keys = to_keys<T>;
  keys.from_keys = from_keys<T>;
#if defined(__AVX2__)
  keys.sort_row = sort_row<T>;
  keys.most_in_row = most_in_row<T>;
  if constexpr (sizeof(T) >= 4) {
    keys.sort = sort_keys<KeyOf<T>>;
    keys.count = count_cells<T>;
    keys.deal = deal<T>;
  }
#endif
}

}  // namespace

void fill_sorts(RowTable& table) {
  each_key_type([&]<class T>(T, TypeId type) { fill<T>(table, type); });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
