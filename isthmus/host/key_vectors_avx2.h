// key_vectors_avx2.h: vectors of 32 bytes of keys; see key_vectors.h. A mask is a number whose bits
// are lanes, as AVX-512 has it; lanes that it selects come to the front by a table.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

template <class K>
struct Vectors;

/// For each mask of lanes of `words` words of 32 bits, the words that it selects, from the first
/// on.
template <int lanes, int words>
struct Selections {
  alignas(32) std::array<std::array<std::uint32_t, 8>, 1 << lanes> of{};

  constexpr Selections() {
    for (unsigned mask = 0; mask < of.size(); ++mask) {
      std::size_t next = 0;
      for (const bool is_selected : {true, false})
        for (unsigned lane = 0; lane < lanes; ++lane)
          if ((mask >> lane & 1) == is_selected)
            for (unsigned word = 0; word < words; ++word) of[mask][next++] = words * lane + word;
    }
  }
};
template <int lanes, int words>
inline constexpr Selections<lanes, words> selections;

/// All bits in the first eight words, none in those behind.
alignas(32) inline constexpr std::int32_t first_words[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

/// What vectors of keys of either type share.
template <class K>
struct ShortVectors {
  using Vector = __m256i;
  using Mask = std::uint8_t;
  static constexpr int words = sizeof(K) / 4, lanes = 8 / words;
  struct Halves {
    Vector front, back;
  };

  static Mask first(std::int64_t count) { return static_cast<Mask>((1u << count) - 1); }
  static __m256i load(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
  static void store(void* p, __m256i x) { _mm256_storeu_si256(static_cast<__m256i*>(p), x); }
  static __m256i load_first(const void* p, std::int64_t count, __m256i rest) {
    const __m256i is_there = is_first(count);
    return _mm256_blendv_epi8(rest, _mm256_maskload_epi32(static_cast<const int*>(p), is_there),
                              is_there);
  }
  static void store_first(void* p, std::int64_t count, __m256i x) {
    _mm256_maskstore_epi32(static_cast<int*>(p), is_first(count), x);
  }
  static __m256i compress(Mask m, __m256i x) {
    return _mm256_permutevar8x32_epi32(x, load(selections<lanes, words>.of[m].data()));
  }
  static Halves split(Mask m, __m256i x) {
    const __m256i both = compress(m, x);
    return {both, both};
  }
  static __m256i zip_low(__m256i a, __m256i b) { return zip<0x20>(a, b); }
  static __m256i zip_high(__m256i a, __m256i b) { return zip<0x31>(a, b); }

 private:
  template <int halves>
  static __m256i zip(__m256i a, __m256i b) {
    if constexpr (words == 1)
      return _mm256_permute2x128_si256(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b),
                                       halves);
    return _mm256_permute2x128_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b),
                                     halves);
  }
  static __m256i is_first(std::int64_t count) { return load(first_words + 8 - words * count); }
};

template <>
struct Vectors<std::uint32_t> : ShortVectors<std::uint32_t> {
  static __m256i all(std::uint32_t x) { return _mm256_set1_epi32(static_cast<int>(x)); }
  static __m256i ranked(__m256i x) { return x; }
  static __m256i min(__m256i a, __m256i b) { return _mm256_min_epu32(a, b); }
  static __m256i max(__m256i a, __m256i b) { return _mm256_max_epu32(a, b); }
  template <Mask larger>
  static __m256i pick(__m256i a, __m256i b) {
    return _mm256_blend_epi32(min(a, b), max(a, b), larger);
  }
  static Mask is_less(__m256i a, __m256i b) { return static_cast<Mask>(~is_at_most(b, a)); }
  static Mask is_at_most(__m256i a, __m256i b) {
    const __m256i is = _mm256_cmpeq_epi32(min(a, b), a);
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(is)));
  }
  template <int by>
  static __m256i exchange(__m256i x) {
    if constexpr (by == 1) return _mm256_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1));
    if constexpr (by == 2) return _mm256_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2));
    if constexpr (by == 3) return _mm256_shuffle_epi32(x, _MM_SHUFFLE(0, 1, 2, 3));
    if constexpr (by == 4) return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(1, 0, 3, 2));
    return _mm256_permutevar8x32_epi32(x, _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7));  // by 7
  }
  static void weave(__m256i a, __m256i b, __m256i c, __m256i* to) {
    to[0] = _mm256_permute2x128_si256(a, b, 0x20);
    to[1] = _mm256_permute2x128_si256(c, a, 0x30);
    to[2] = _mm256_permute2x128_si256(b, c, 0x31);
  }
};

/// There are comparisons of signed numbers alone. Networks, which compare often, take keys with the
/// first bit the other way round: those are ranked as signed numbers.
template <>
struct Vectors<std::uint64_t> : ShortVectors<std::uint64_t> {
  static __m256i add(__m256i a, __m256i b) { return _mm256_add_epi64(a, b); }
  static __m256i numbers() { return _mm256_set_epi64x(3, 2, 1, 0); }
  static __m256i all(std::uint64_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
  static __m256i ranked(__m256i x) { return _mm256_xor_si256(x, all(std::uint64_t{1} << 63)); }
  static __m256i min(__m256i a, __m256i b) {
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
  }
  static __m256i max(__m256i a, __m256i b) {
    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
  }
  template <Mask larger>
  static __m256i pick(__m256i a, __m256i b) {
    const auto all_if = [](int lane) { return larger >> lane & 1 ? -1LL : 0LL; };
    const __m256i is_larger = _mm256_set_epi64x(all_if(3), all_if(2), all_if(1), all_if(0));
    return _mm256_blendv_epi8(a, b, _mm256_xor_si256(_mm256_cmpgt_epi64(a, b), is_larger));
  }
  static Mask is_less(__m256i a, __m256i b) {
    const __m256i is = _mm256_cmpgt_epi64(ranked(b), ranked(a));
    return static_cast<Mask>(_mm256_movemask_pd(_mm256_castsi256_pd(is)));
  }
  static Mask is_at_most(__m256i a, __m256i b) {
    return static_cast<Mask>(~is_less(b, a) & first(lanes));
  }
  template <int by>
  static __m256i exchange(__m256i x) {
    if constexpr (by == 1) return _mm256_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2));
    if constexpr (by == 2) return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(1, 0, 3, 2));
    return _mm256_permute4x64_epi64(x, _MM_SHUFFLE(0, 1, 2, 3));  // by 3
  }
  static void weave(__m256i a, __m256i b, __m256i c, __m256i* to) {
    to[0] = a, to[1] = b, to[2] = c;
  }
};

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
