// sorts.cpp: elements to keys and back, and keys in order by vectors that compress what a mask
// selects.
#include <cstring>

#include "isthmus/host/keys.h"
#include "isthmus/host/rows.h"

#if defined(__AVX512F__)
#include <immintrin.h>

#include <algorithm>
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {

namespace {

template <class T, bool is_descending>
bool make_keys(KeyOf<T>* keys, const char* elements, std::int64_t n) {
  KeyOf<T> is_any_forgotten = 0;  // as wide as a key, for vectors
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    T x;
    std::memcpy(&x, elements + i * static_cast<std::int64_t>(sizeof(T)), sizeof x);
    is_any_forgotten |= static_cast<KeyOf<T>>(is_forgotten(x));
    keys[i] = key_of(x, is_descending);
  }
  return is_any_forgotten != 0;
}

template <class T>
bool to_keys(void* keys, const void* elements, std::int64_t n, bool is_descending) {
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

#if defined(__AVX512F__)
namespace {

/// Vectors of 64 bytes of keys of type K.
template <class K>
struct Vectors;

template <>
struct Vectors<std::uint32_t> {
  using Mask = __mmask16;
  static constexpr int lanes = 16;
  static __m512i all(std::uint32_t x) { return _mm512_set1_epi32(static_cast<int>(x)); }
  static __m512i load(const void* p) { return _mm512_loadu_si512(p); }
  static __m512i load(const void* p, Mask m, __m512i rest) {
    return _mm512_mask_loadu_epi32(rest, m, p);
  }
  static void store(void* p, __m512i x) { _mm512_storeu_si512(p, x); }
  static void store(void* p, Mask m, __m512i x) { _mm512_mask_storeu_epi32(p, m, x); }
  static __m512i compress(Mask m, __m512i x) { return _mm512_maskz_compress_epi32(m, x); }
  static __m512i min(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epu32(a, b); }
  /// The smaller of both, and where m is set the larger.
  static __m512i pick(Mask m, __m512i a, __m512i b) {
    return _mm512_mask_max_epu32(min(a, b), m, a, b);
  }
  static Mask is_less(__m512i a, __m512i b) { return _mm512_cmplt_epu32_mask(a, b); }
  static Mask is_at_most(__m512i a, __m512i b) { return _mm512_cmple_epu32_mask(a, b); }
  /// The lanes in the order i ^ distance.
  template <int distance>
  static __m512i exchange(__m512i x) {
    if constexpr (distance == 1) return _mm512_shuffle_epi32(x, _MM_PERM_CDAB);
    if constexpr (distance == 2) return _mm512_shuffle_epi32(x, _MM_PERM_BADC);
    if constexpr (distance == 4) return _mm512_shuffle_i64x2(x, x, _MM_SHUFFLE(2, 3, 0, 1));
    if constexpr (distance == 8) return _mm512_shuffle_i64x2(x, x, _MM_SHUFFLE(1, 0, 3, 2));
  }
};

template <>
struct Vectors<std::uint64_t> {
  using Mask = __mmask8;
  static constexpr int lanes = 8;
  static __m512i all(std::uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
  static __m512i load(const void* p) { return _mm512_loadu_si512(p); }
  static __m512i load(const void* p, Mask m, __m512i rest) {
    return _mm512_mask_loadu_epi64(rest, m, p);
  }
  static void store(void* p, __m512i x) { _mm512_storeu_si512(p, x); }
  static void store(void* p, Mask m, __m512i x) { _mm512_mask_storeu_epi64(p, m, x); }
  static __m512i compress(Mask m, __m512i x) { return _mm512_maskz_compress_epi64(m, x); }
  static __m512i min(__m512i a, __m512i b) { return _mm512_min_epu64(a, b); }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epu64(a, b); }
  /// The smaller of both, and where m is set the larger.
  static __m512i pick(Mask m, __m512i a, __m512i b) {
    return _mm512_mask_max_epu64(min(a, b), m, a, b);
  }
  static Mask is_less(__m512i a, __m512i b) { return _mm512_cmplt_epu64_mask(a, b); }
  static Mask is_at_most(__m512i a, __m512i b) { return _mm512_cmple_epu64_mask(a, b); }
  template <int distance>
  static __m512i exchange(__m512i x) {
    if constexpr (distance == 1) return _mm512_permutex_epi64(x, _MM_SHUFFLE(2, 3, 0, 1));
    if constexpr (distance == 2) return _mm512_permutex_epi64(x, _MM_SHUFFLE(1, 0, 3, 2));
    if constexpr (distance == 4) return _mm512_shuffle_i64x2(x, x, _MM_SHUFFLE(1, 0, 3, 2));
  }
};

template <class K>
auto first_lanes(std::int64_t count) {
  return static_cast<typename Vectors<K>::Mask>((1u << count) - 1);
}

/// The lanes that take the larger of a pair in a step of a bitonic network: in runs of `run`
/// elements, which ascend and descend in turns, lane i of vector v meets lane i ^ distance.
template <class K>
constexpr unsigned larger_lanes(int v, int run, int distance) {
  unsigned mask = 0;
  for (int lane = 0; lane < Vectors<K>::lanes; ++lane) {
    const int i = v * Vectors<K>::lanes + lane;
    if (((i & distance) != 0) != ((i & run) != 0)) mask |= 1u << lane;
  }
  return mask;
}

template <class K, int count, int run, int distance>
[[gnu::always_inline]] inline void exchange_pairs(__m512i (&x)[count]) {
  using V = Vectors<K>;
  if constexpr (distance >= V::lanes) {
    constexpr int apart = distance / V::lanes;
#pragma GCC unroll 16
    for (int v = 0; v < count; ++v) {
      if (v & apart) continue;
      const __m512i a = x[v], b = x[v + apart];
      const bool is_descending = (v * V::lanes & run) != 0;
      x[v] = is_descending ? V::max(a, b) : V::min(a, b);
      x[v + apart] = is_descending ? V::min(a, b) : V::max(a, b);
    }
  } else {
#pragma GCC unroll 16
    for (int v = 0; v < count; ++v) {
      const __m512i other = V::template exchange<distance>(x[v]);
      const auto larger = static_cast<typename V::Mask>(larger_lanes<K>(v, run, distance));
      x[v] = V::pick(larger, x[v], other);
    }
  }
  if constexpr (distance > 1) exchange_pairs<K, count, run, distance / 2>(x);
}

template <class K, int count, int run = 2>
[[gnu::always_inline]] inline void sort_vectors(__m512i (&x)[count]) {
  exchange_pairs<K, count, run, run / 2>(x);
  if constexpr (run < count * Vectors<K>::lanes) sort_vectors<K, count, 2 * run>(x);
}

/// At most `count` vectors of keys.
template <class K, int count>
[[gnu::noinline]] void sort_few(K* keys, std::int64_t n) {
  using V = Vectors<K>;
  __m512i x[count];
  const __m512i last = V::all(std::numeric_limits<K>::max());
  const auto lanes_of = [&](int v) {
    return first_lanes<K>(std::clamp<std::int64_t>(n - v * V::lanes, 0, V::lanes));
  };
#pragma GCC unroll 16
  for (int v = 0; v < count; ++v) x[v] = V::load(keys + v * V::lanes, lanes_of(v), last);
  sort_vectors<K, count>(x);
#pragma GCC unroll 16
  for (int v = 0; v < count; ++v) V::store(keys + v * V::lanes, lanes_of(v), x[v]);
}

template <class K>
inline constexpr std::int64_t few = 16 * Vectors<K>::lanes;

template <class K>
void sort_few_of(K* keys, std::int64_t n) {
  constexpr int lanes = Vectors<K>::lanes;
  if (n <= lanes) return sort_few<K, 1>(keys, n);
  if (n <= 2 * lanes) return sort_few<K, 2>(keys, n);
  if (n <= 4 * lanes) return sort_few<K, 4>(keys, n);
  if (n <= 8 * lanes) return sort_few<K, 8>(keys, n);
  return sort_few<K, 16>(keys, n);
}

/// Brings the keys that `is_first` selects to the front, the others behind them; says how many are
/// in front. `spare` takes the others meanwhile.
template <class K, class IsFirst>
std::int64_t part(K* keys, K* spare, std::int64_t n, IsFirst is_first) {
  using V = Vectors<K>;
  std::int64_t front = 0, others = 0, i = 0;
  // What is stored behind the selected keys is read already, or written again.
  const auto put = [&](__m512i x, typename V::Mask is) {
    V::store(keys + front, V::compress(is, x));
    V::store(spare + others, V::compress(static_cast<typename V::Mask>(~is), x));
    const int count = std::popcount(static_cast<unsigned>(is));
    front += count;
    others += V::lanes - count;
  };
  constexpr int group = 8;
  for (; i + group * V::lanes <= n; i += group * V::lanes) {
    __m512i x[group];
#pragma GCC unroll 8
    for (int v = 0; v < group; ++v) x[v] = V::load(keys + i + v * V::lanes);
#pragma GCC unroll 8
    for (int v = 0; v < group; ++v) put(x[v], is_first(x[v]));
  }
  for (; i + V::lanes <= n; i += V::lanes) {
    const __m512i x = V::load(keys + i);
    put(x, is_first(x));
  }
  if (i < n) {
    const auto there = first_lanes<K>(n - i);
    const __m512i x = V::load(keys + i, there, __m512i{});
    const auto is = static_cast<typename V::Mask>(is_first(x) & there);
    const auto is_not = static_cast<typename V::Mask>(~is & there);
    const int count = std::popcount(static_cast<unsigned>(is));
    const int rest = std::popcount(static_cast<unsigned>(is_not));
    V::store(keys + front, first_lanes<K>(count), V::compress(is, x));
    V::store(spare + others, first_lanes<K>(rest), V::compress(is_not, x));
    front += count;
    others += rest;
  }
  std::memcpy(keys + front, spare, static_cast<std::size_t>(others) * sizeof(K));
  return front;
}

/// A key near the middle: of a sample at even distances, from a place that no pattern foresees.
template <class K, int vectors>
K pivot_of(const K* keys, std::int64_t n, std::uint64_t& random) {
  constexpr int count = vectors * Vectors<K>::lanes;
  random = random * 6364136223846793005u + 1442695040888963407u;
  const auto apart = static_cast<std::uint64_t>(n) / count;
  const K* next = keys + (random >> 33) % apart;
  K sample[count];
  for (K& key : sample) key = *next, next += apart;
  sort_few<K, vectors>(sample, count);
  return sample[count / 2 - 1];
}

template <class K>
SplitKeys split_keys(K* keys, K* spare, std::int64_t n, std::uint64_t& random) {
  using V = Vectors<K>;
  const K pivot =
      n < 16 * few<K> ? pivot_of<K, 1>(keys, n, random) : pivot_of<K, 4>(keys, n, random);
  const __m512i pivots = V::all(pivot);
  const std::int64_t front =
      part(keys, spare, n, [&](__m512i x) { return V::is_at_most(x, pivots); });
  if (front < n) return {front, front};
  // the pivot is the largest: all that equal it are in order behind the others
  return {part(keys, spare, n, [&](__m512i x) { return V::is_less(x, pivots); }), n};
}

template <class K>
SplitKeys split(void* keys, void* spare, std::int64_t n) {
  if (n <= few<K>) return {n, n};
  std::uint64_t random = static_cast<std::uint64_t>(n);
  return split_keys(static_cast<K*>(keys), static_cast<K*>(spare), n, random);
}

template <class K>
void sort_by_splits(K* keys, K* spare, std::int64_t n, std::uint64_t random) {
  while (n > few<K>) {
    const auto [first, second] = split_keys(keys, spare, n, random);
    // the smaller part by a call, so that calls are at most 64 deep
    if (first < n - second) {
      sort_by_splits(keys, spare, first, random);
      keys += second;
      n -= second;
    } else {
      sort_by_splits(keys + second, spare, n - second, random);
      n = first;
    }
  }
  sort_few_of(keys, n);
}

template <class K>
void sort_keys(void* keys, void* spare, std::int64_t n) {
  sort_by_splits(static_cast<K*>(keys), static_cast<K*>(spare), n, static_cast<std::uint64_t>(n));
}

}  // namespace
#endif

namespace {

template <class T>
void fill(RowTable& table, TypeId type) {
  KeyTable& keys = table.keys[static_cast<int>(type)];
  keys.to_keys = to_keys<T>;
  keys.from_keys = from_keys<T>;
#if defined(__AVX512F__)
  if constexpr (sizeof(T) >= 4) {
    keys.sort = sort_keys<KeyOf<T>>;
    keys.split = split<KeyOf<T>>;
  }
#endif
}

}  // namespace

void fill_sorts(RowTable& table) {
  fill<std::int8_t>(table, TypeId::int8);
  fill<std::int16_t>(table, TypeId::int16);
  fill<std::int32_t>(table, TypeId::int32);
  fill<std::int64_t>(table, TypeId::int64);
  fill<std::uint8_t>(table, TypeId::uint8);
  fill<std::uint16_t>(table, TypeId::uint16);
  fill<std::uint32_t>(table, TypeId::uint32);
  fill<std::uint64_t>(table, TypeId::uint64);
  fill<float>(table, TypeId::float32);
  fill<double>(table, TypeId::float64);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
