// philox.h: blocks of random bits that follow each other, in vectors of blocks.
//
// The bits are those of philox_functions.inc.
#pragma once

#include <cstdint>
#include <cstring>

#include "isthmus/host/vector.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// Each lane has a word of 32 bits of a block in its low half; the high half may hold anything.
/// What a compiler makes of plain C on 32 bits spends half its time on moving products about.
using Lanes __attribute__((vector_size(vector_bytes))) = std::uint64_t;
inline constexpr int lane_count = vector_bytes / 8;

/// Products of the low halves.
inline Lanes product(Lanes x, Lanes y) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_maskz_mul_epu32(0xff, (__m512i)x, (__m512i)y);  // g++ 12 warns of the other
#elif defined(__AVX2__)
  return (Lanes)_mm256_mul_epu32((__m256i)x, (__m256i)y);
#elif defined(__x86_64__)
  return (Lanes)_mm_mul_epu32((__m128i)x, (__m128i)y);
#else
  return (x & 0xffffffff) * (y & 0xffffffff);
#endif
}

/// The low half of each lane, and that of another vector in the high half.
inline Lanes paired(Lanes low, Lanes high) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_mask_shuffle_epi32((__m512i)low, 0xaaaa, (__m512i)high, _MM_PERM_CCAA);
#elif defined(__AVX2__)
  return (Lanes)_mm256_blend_epi32((__m256i)low, (__m256i)(high << 32), 0xaa);
#else
  return (low & 0xffffffff) | high << 32;
#endif
}

/// Lanes 0, 2, 4 and so on of both in turns; and 1, 3, 5.
inline Lanes even_lanes(Lanes x, Lanes y) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_maskz_unpacklo_epi64(0xff, (__m512i)x, (__m512i)y);
#elif defined(__AVX2__)
  return (Lanes)_mm256_unpacklo_epi64((__m256i)x, (__m256i)y);
#else
  return Lanes{x[0], y[0]};
#endif
}
inline Lanes odd_lanes(Lanes x, Lanes y) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_maskz_unpackhi_epi64(0xff, (__m512i)x, (__m512i)y);
#elif defined(__AVX2__)
  return (Lanes)_mm256_unpackhi_epi64((__m256i)x, (__m256i)y);
#else
  return Lanes{x[1], y[1]};
#endif
}

/// Vectors that are worked on in turns: each round waits for the products of the one before, of one
/// vector for longer than a processor looks ahead.
inline constexpr int side_by_side = 8;
/// Blocks that are made at once.
inline constexpr int philox_group = side_by_side * lane_count;

/// each_philox(), in which the high words of the counters are all one or are not.
template <bool is_level, class F>
void each_philox_group(std::int64_t blocks, std::uint64_t block, std::uint64_t key,
                       std::uint64_t stream, F f) {
  // blocks in the order in which even and odd lanes put them in a row
  Lanes step;
  for (int i = 0; i < lane_count; ++i)
    step[i] = static_cast<std::uint64_t>(i / 2 + i % 2 * (lane_count / 2));
  Lanes keys[20];
  for (int round = 0; round < 10; ++round) {
    const auto by = static_cast<std::uint32_t>(round);
    keys[2 * round] = Lanes{} + (static_cast<std::uint32_t>(key) + by * 0x9e3779b9u);
    keys[2 * round + 1] = Lanes{} + (static_cast<std::uint32_t>(key >> 32) + by * 0xbb67ae85u);
  }
  const Lanes level = Lanes{} + (block >> 32);
  for (std::int64_t i = 0; i < blocks; i += philox_group) {
    Lanes a[side_by_side], b[side_by_side], c[side_by_side], d[side_by_side];
    for (int k = 0; k < side_by_side; ++k) {
      a[k] = step + (block + static_cast<std::uint64_t>(i + k * lane_count));
      b[k] = is_level ? level : a[k] >> 32;
      c[k] = Lanes{} + stream, d[k] = Lanes{} + (stream >> 32);
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 8
      for (int k = 0; k < side_by_side; ++k) {
        const Lanes first = product(a[k], Lanes{} + 0xd2511f53),
                    second = product(c[k], Lanes{} + 0xcd9e8d57);
        a[k] = (second >> 32) ^ b[k] ^ keys[2 * round], b[k] = second;
        c[k] = (first >> 32) ^ d[k] ^ keys[2 * round + 1], d[k] = first;
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < side_by_side; ++k) {
      const Lanes low = paired(a[k], b[k]), high = paired(c[k], d[k]);
      const std::int64_t word = 2 * (i + k * lane_count);
      f(word, even_lanes(low, high));
      f(word + lane_count, odd_lanes(low, high));
    }
  }
}

/// Calls f(i, words) for all vectors of the words of 64 bits of so many blocks from `block` on;
/// words i, i + 1 and so on. A multiple of philox_group of blocks.
template <class F>
void each_philox(std::int64_t blocks, std::uint64_t block, std::uint64_t key, std::uint64_t stream,
                 F f) {
  const std::uint64_t last = block + static_cast<std::uint64_t>(blocks) - 1;
  if (block >> 32 == last >> 32)
    each_philox_group<true>(blocks, block, key, stream, f);
  else
    each_philox_group<false>(blocks, block, key, stream, f);
}

/// Blocks of any counters that are made at once.
inline constexpr int philox_group_at = 4 * lane_count;

/// Both halves of the blocks of any counters and keys; a multiple of philox_group_at of them.
inline void philox_at(std::int64_t count, const std::uint64_t* counters, const std::uint64_t* keys,
                      std::uint64_t stream, std::uint64_t* low, std::uint64_t* high) {
  for (std::int64_t i = 0; i < count; i += philox_group_at) {
    Lanes a[4], b[4], c[4], d[4], one[4], other[4];
    for (int k = 0; k < 4; ++k) {
      std::memcpy(&a[k], counters + i + k * lane_count, sizeof a[k]);
      std::memcpy(&one[k], keys + i + k * lane_count, sizeof one[k]);
      b[k] = a[k] >> 32, other[k] = one[k] >> 32;
      c[k] = Lanes{} + stream, d[k] = Lanes{} + (stream >> 32);
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) {
        const Lanes first = product(a[k], Lanes{} + 0xd2511f53),
                    second = product(c[k], Lanes{} + 0xcd9e8d57);
        a[k] = (second >> 32) ^ b[k] ^ one[k], b[k] = second;
        c[k] = (first >> 32) ^ d[k] ^ other[k], d[k] = first;
        one[k] += 0x9e3779b9, other[k] += 0xbb67ae85;
      }
    }
    for (int k = 0; k < 4; ++k) {
      const Lanes low_half = paired(a[k], b[k]), high_half = paired(c[k], d[k]);
      std::memcpy(low + i + k * lane_count, &low_half, sizeof low_half);
      std::memcpy(high + i + k * lane_count, &high_half, sizeof high_half);
    }
  }
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
