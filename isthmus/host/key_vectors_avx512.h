// key_vectors_avx512.h: vectors of 64 bytes of keys; see key_vectors.h.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

template <class K>
struct Vectors;

/// What vectors of keys of either type share.
struct LongVectors {
  using Vector = __m512i;
  /// Of a split.
  struct Halves {
    Vector front, back;
  };
  static __m512i load(const void* p) { return _mm512_loadu_si512(p); }
  static void store(void* p, __m512i x) { _mm512_storeu_si512(p, x); }
  /// Keys as min(), max() and pick() compare them, and back.
  static __m512i ranked(__m512i x) { return x; }
};

template <>
struct Vectors<std::uint32_t> : LongVectors {
  using Mask = __mmask16;
  static constexpr int lanes = 16;
  static Mask first(std::int64_t count) { return static_cast<Mask>((1u << count) - 1); }
  static __m512i all(std::uint32_t x) { return _mm512_set1_epi32(static_cast<int>(x)); }
  static __m512i load_first(const void* p, std::int64_t count, __m512i rest) {
    return _mm512_mask_loadu_epi32(rest, first(count), p);
  }
  static void store_first(void* p, std::int64_t count, __m512i x) {
    _mm512_mask_storeu_epi32(p, first(count), x);
  }
  static __m512i compress(Mask m, __m512i x) { return _mm512_maskz_compress_epi32(m, x); }
  /// The selected lanes at the front of one vector, the others at the back of one, in any order.
  static Halves split(Mask m, __m512i x) {
    return {compress(m, x), exchange<15>(compress(static_cast<Mask>(~m), x))};
  }
  static __m512i min(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epu32(a, b); }
  /// The smaller of both, and where the mask is set the larger.
  template <Mask larger>
  static __m512i pick(__m512i a, __m512i b) {
    return _mm512_mask_max_epu32(min(a, b), larger, a, b);
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
struct Vectors<std::uint64_t> : LongVectors {
  using Mask = __mmask8;
  static constexpr int lanes = 8;
  static Mask first(std::int64_t count) { return static_cast<Mask>((1u << count) - 1); }
  static __m512i add(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
  static __m512i numbers() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
  static __m512i all(std::uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
  static __m512i load_first(const void* p, std::int64_t count, __m512i rest) {
    return _mm512_mask_loadu_epi64(rest, first(count), p);
  }
  static void store_first(void* p, std::int64_t count, __m512i x) {
    _mm512_mask_storeu_epi64(p, first(count), x);
  }
  static __m512i compress(Mask m, __m512i x) { return _mm512_maskz_compress_epi64(m, x); }
  static Halves split(Mask m, __m512i x) {
    return {compress(m, x), exchange<7>(compress(static_cast<Mask>(~m), x))};
  }
  static __m512i min(__m512i a, __m512i b) { return _mm512_min_epu64(a, b); }
  static __m512i max(__m512i a, __m512i b) { return _mm512_max_epu64(a, b); }
  template <Mask larger>
  static __m512i pick(__m512i a, __m512i b) {
    return _mm512_mask_max_epu64(min(a, b), larger, a, b);
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

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
