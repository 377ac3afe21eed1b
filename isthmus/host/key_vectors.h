// key_vectors.h: vectors of keys, and networks that put a few of them in order.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
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
  /// Lanes of a and b, taken as one vector.
  static __m512i permute(__m512i a, __m512i at, __m512i b) {
    return _mm512_permutex2var_epi32(a, at, b);
  }
  /// The lanes in the order i ^ by.
  template <int by>
  static __m512i exchange(__m512i x) {
    if constexpr (by == 1) return _mm512_shuffle_epi32(x, _MM_PERM_CDAB);
    if constexpr (by == 2) return _mm512_shuffle_epi32(x, _MM_PERM_BADC);
    if constexpr (by == 3) return _mm512_shuffle_epi32(x, _MM_PERM_ABCD);
    if constexpr (by == 4) return _mm512_shuffle_i64x2(x, x, _MM_SHUFFLE(2, 3, 0, 1));
    if constexpr (by == 8) return _mm512_shuffle_i64x2(x, x, _MM_SHUFFLE(1, 0, 3, 2));
    const __m512i own = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutexvar_epi32(_mm512_xor_si512(own, _mm512_set1_epi32(by)), x);
  }
  /// Lanes of two vectors in turns: those of the first halves, of the second halves.
  static __m512i zip_low(__m512i a, __m512i b) {
    return permute(a, _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0), b);
  }
  static __m512i zip_high(__m512i a, __m512i b) {
    return permute(
        a, _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8), b);
  }
  /// Fours of lanes: those of a, b and c in turns.
  static void weave(__m512i a, __m512i b, __m512i c, __m512i* to) {
    const auto two = [](__m512i x, __m512i at, __m512i y) {
      return _mm512_permutex2var_epi64(x, at, y);
    };
    to[0] = two(two(a, _mm512_setr_epi64(0, 1, 8, 9, 0, 0, 2, 3), b),
                _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 6, 7), c);
    to[1] = two(two(b, _mm512_setr_epi64(2, 3, 0, 0, 12, 13, 4, 5), a),
                _mm512_setr_epi64(0, 1, 10, 11, 4, 5, 6, 7), c);
    to[2] = two(two(c, _mm512_setr_epi64(4, 5, 14, 15, 0, 0, 6, 7), a),
                _mm512_setr_epi64(0, 1, 2, 3, 14, 15, 6, 7), b);
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
  static __m512i pick(Mask m, __m512i a, __m512i b) {
    return _mm512_mask_max_epu64(min(a, b), m, a, b);
  }
  static Mask is_less(__m512i a, __m512i b) { return _mm512_cmplt_epu64_mask(a, b); }
  static Mask is_at_most(__m512i a, __m512i b) { return _mm512_cmple_epu64_mask(a, b); }
  static __m512i permute(__m512i a, __m512i at, __m512i b) {
    return _mm512_permutex2var_epi64(a, at, b);
  }
  template <int by>
  static __m512i exchange(__m512i x) {
    if constexpr (by == 1) return _mm512_shuffle_epi32(x, _MM_PERM_BADC);
    if constexpr (by == 2) return _mm512_permutex_epi64(x, _MM_SHUFFLE(1, 0, 3, 2));
    if constexpr (by == 3) return _mm512_permutex_epi64(x, _MM_SHUFFLE(0, 1, 2, 3));
    if constexpr (by == 4) return _mm512_shuffle_i64x2(x, x, _MM_SHUFFLE(1, 0, 3, 2));
    const __m512i own = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutexvar_epi64(_mm512_xor_si512(own, _mm512_set1_epi64(by)), x);
  }
  static __m512i zip_low(__m512i a, __m512i b) {
    return permute(a, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), b);
  }
  static __m512i zip_high(__m512i a, __m512i b) {
    return permute(a, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), b);
  }
  static void weave(__m512i a, __m512i b, __m512i c, __m512i* to) {
    to[0] = _mm512_shuffle_i64x2(a, b, _MM_SHUFFLE(1, 0, 1, 0));
    to[1] = _mm512_shuffle_i64x2(c, a, _MM_SHUFFLE(3, 2, 1, 0));
    to[2] = _mm512_shuffle_i64x2(b, c, _MM_SHUFFLE(3, 2, 3, 2));
  }
};

template <class K>
auto first_lanes(std::int64_t count) {
  return static_cast<typename Vectors<K>::Mask>((1u << count) - 1);
}

/// The pairs of rows that a network of merges of odd and even rows compares (Batcher 1968).
template <int rows>
struct Comparisons {
  struct Pair {
    int low, high;
  };
  std::array<Pair, 5 * rows> pairs{};
  std::size_t count = 0;

  constexpr Comparisons() {
    for (int run = 1; run < rows; run *= 2)
      for (int apart = run; apart >= 1; apart /= 2)
        for (int first = apart % run; first + apart < rows; first += 2 * apart)
          for (int i = first; i < first + apart && i + apart < rows; ++i)
            if (i / (2 * run) == (i + apart) / (2 * run)) pairs[count++] = {i, i + apart};
  }
};
template <int rows>
inline constexpr Comparisons<rows> comparisons;

/// Keys in order where `rows` vectors, 12 or a power of two up to 16, lie below each other. Each
/// column is brought in order, which takes no exchange of lanes; then columns are merged, two, four
/// and more of them, so that their keys follow each other column by column.
template <class K, int rows>
struct Network {
  using V = Vectors<K>;
  using Block = __m512i[rows];

  [[gnu::always_inline]] static void compare(__m512i& low, __m512i& high) {
    const __m512i a = low, b = high;
    low = V::min(a, b);
    high = V::max(a, b);
  }

  [[gnu::always_inline]] static void sort_columns(Block& x) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (compare(x[comparisons<rows>.pairs[i].low], x[comparisons<rows>.pairs[i].high]), ...);
    }(std::make_index_sequence<comparisons<rows>.count>());
  }

  /// The lanes with a number that has the bit `apart`.
  static constexpr auto upper(int apart) {
    unsigned mask = 0;
    for (int lane = 0; lane < V::lanes; ++lane)
      if (lane & apart) mask |= 1u << lane;
    return static_cast<typename V::Mask>(mask);
  }

  template <int apart>
  [[gnu::always_inline]] static void compare_columns(Block& x) {
    if constexpr (apart >= 1) {
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row)
        x[row] = V::pick(upper(apart), x[row], V::template exchange<apart>(x[row]));
      compare_columns<apart / 2>(x);
    }
  }

  /// Of each `count` rows, which first rise and then fall, or the other way round.
  template <int count>
  [[gnu::always_inline]] static void compare_rows(Block& x) {
    if constexpr (count == 3) {
#pragma GCC unroll 16
      for (int row = 0; row < rows; row += 3) {
        compare(x[row], x[row + 2]);
        compare(x[row], x[row + 1]);
        compare(x[row + 1], x[row + 2]);
      }
    } else if constexpr (count > 1) {
      constexpr int apart = count / 2;
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row)
        if (row % count < apart) compare(x[row], x[row + apart]);
      compare_rows<apart>(x);
    }
  }

  /// Of runs of `width` columns each two become one: the first against the second backwards, and
  /// what that leaves in each of them by halves.
  template <int width>
  [[gnu::always_inline]] static void merge_columns(Block& x) {
    if constexpr (width < V::lanes) {
      constexpr int all = 2 * width - 1;
#pragma GCC unroll 16
      for (int row = 0; row < (rows + 1) / 2; ++row) {
        const __m512i a = x[row], b = x[rows - 1 - row];
        x[row] = V::pick(upper(width), a, V::template exchange<all>(b));
        x[rows - 1 - row] = V::pick(upper(width), b, V::template exchange<all>(a));
      }
      compare_columns<width / 2>(x);
      compare_rows<rows>(x);
      merge_columns<2 * width>(x);
    }
  }

  /// Columns of `count` rows, a power of two, become what lies in memory one after another.
  template <int count>
  [[gnu::always_inline]] static void transpose(__m512i* x) {
#pragma GCC unroll 16
    for (int round = 1; round < count; round *= 2) {
      __m512i y[count];
#pragma GCC unroll 16
      for (int row = 0; row < count / 2; ++row) {
        y[2 * row] = V::zip_low(x[row], x[row + count / 2]);
        y[2 * row + 1] = V::zip_high(x[row], x[row + count / 2]);
      }
#pragma GCC unroll 16
      for (int row = 0; row < count; ++row) x[row] = y[row];
    }
  }
  [[gnu::always_inline]] static void transpose_all(Block& x) {
    if constexpr (rows == 12) {
      Block y;
#pragma GCC unroll 16
      for (int four = 0; four < rows; four += 4) transpose<4>(x + four);
#pragma GCC unroll 16
      for (int v = 0; v < 4; ++v) V::weave(x[v], x[v + 4], x[v + 8], y + 3 * v);
#pragma GCC unroll 16
      for (int row = 0; row < rows; ++row) x[row] = y[row];
    } else {
      transpose<rows>(x);
    }
  }

  /// At most `rows` vectors of keys.
  [[gnu::noinline]] static void sort(const K* from, K* to, std::int64_t n) {
    Block x;
    const __m512i last = V::all(std::numeric_limits<K>::max());
    const auto lanes_of = [&](int v) {
      return first_lanes<K>(std::clamp<std::int64_t>(n - v * V::lanes, 0, V::lanes));
    };
#pragma GCC unroll 16
    for (int v = 0; v < rows; ++v) x[v] = V::load(from + v * V::lanes, lanes_of(v), last);
    sort_columns(x);
    merge_columns<1>(x);
    transpose_all(x);
#pragma GCC unroll 16
    for (int v = 0; v < rows; ++v) V::store(to + v * V::lanes, lanes_of(v), x[v]);
  }
};

/// So many keys a network puts in order.
template <class K>
inline constexpr std::int64_t few = 16 * Vectors<K>::lanes;

template <class K>
void sort_few(const K* from, K* to, std::int64_t n) {
  constexpr int lanes = Vectors<K>::lanes;
  if (n <= lanes) return Network<K, 1>::sort(from, to, n);
  if (n <= 2 * lanes) return Network<K, 2>::sort(from, to, n);
  if (n <= 4 * lanes) return Network<K, 4>::sort(from, to, n);
  if (n <= 8 * lanes) return Network<K, 8>::sort(from, to, n);
  if (n <= 12 * lanes) return Network<K, 12>::sort(from, to, n);
  return Network<K, 16>::sort(from, to, n);
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
