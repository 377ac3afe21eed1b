// quotient.h: vectors of quotients by one real number, as products, with the bits of a division.
//
// A division takes as long as five to ten products. With y = 1/d rounded, q = x*y rounded and
// r = x - q*d, the sum q + r*y rounds to x/d, if nothing leaves the range of normal numbers and the
// significand of d is not at its end:
//  - q is less than 1.5 units from x/d, so where x/d lies beside the middle of two numbers, half a
//    unit. Then r is exact, and q + r*y is at most 2^-(p+1) units from x/d, of p bits.
//  - x/d is no closer to such a middle than 2^-(p+1) units, and as close only if the significand of
//    d is the largest.
// Source: P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor,
// 1990.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "isthmus/host/vector.h"

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

template <class T>
class Quotient {
 public:
  typedef T V __attribute__((vector_size(vector_bytes)));
  /// Of a vector as halves of a float64: what is looked at of it is in the upper one.
  typedef std::uint32_t Words __attribute__((vector_size(vector_bytes)));

#if defined(__FMA__)
  explicit Quotient(T divisor) : divisor_(divisor - V{}), reciprocal_(1 / divisor - V{}) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits significand = sizeof(T) == 4 ? (1u << 23) - 1 : (Bits{1} << 52) - 1;
    const T size = std::fabs(divisor);
    is_quick_ = size >= 1 / most_divisor && size <= most_divisor &&
                (std::bit_cast<Bits>(divisor) & significand) < significand - 4;
  }
  /// Whether operands for which `can_have` says so may be given to `of`.
  bool is_quick() const { return is_quick_; }

  /// Goes through vectors of operands, from 0 on; `can_have` looks at what has become of it.
  static void look_at(V x, Words& farthest) {
    const Words size = ((Words)x & splat(word(std::numeric_limits<T>::infinity()) | word_rest)) -
                       splat(word(least));
    farthest = farthest > size ? farthest : size;
  }
  static bool can_have(Words farthest) {
    const Words limit = splat(word(most) - word(least));
#if defined(__AVX512F__)
    return !_mm512_cmpgt_epu32_mask((__m512i)farthest, (__m512i)limit);
#else
    const __m256i larger = _mm256_max_epu32((__m256i)farthest, (__m256i)limit);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(larger, (__m256i)limit)) == -1;
#endif
  }

  V of(V x) const {
    const V quotient = x * reciprocal_;
    return fma(fma(-quotient, divisor_, x), reciprocal_, quotient);
  }
#else
  // Without a fused product and sum there is nothing to be had.
  explicit Quotient(T) {}
  bool is_quick() const { return false; }
  static void look_at(V, Words&) {}
  static bool can_have(Words) { return false; }
  V of(V x) const { return x; }
#endif

 private:
#if defined(__FMA__)
  // Quotients and what is left of operands stay normal numbers.
  static constexpr T most_divisor = sizeof(T) == 4 ? 0x1p20 : 0x1p200;
  static constexpr T least = sizeof(T) == 4 ? 0x1p-80 : 0x1p-800, most = 1 / least;
  static constexpr std::uint32_t word_rest = sizeof(T) == 4 ? (1u << 23) - 1 : (1u << 20) - 1;

  static constexpr std::uint32_t word(T x) {
    if constexpr (sizeof(T) == 4)
      return std::bit_cast<std::uint32_t>(x);
    else
      return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 32);
  }
  /// `w` in all words, or in the upper one of each float64.
  static Words splat(std::uint32_t w) {
    if constexpr (sizeof(T) == 4) return Words{} + w;
    typedef std::uint64_t Pairs __attribute__((vector_size(vector_bytes)));
    return (Words)(Pairs{} + (static_cast<std::uint64_t>(w) << 32));
  }
  static V fma(V x, V y, V z) {
    V sum;
    for (std::size_t i = 0; i < sizeof(V) / sizeof(T); ++i) sum[i] = std::fma(x[i], y[i], z[i]);
    return sum;
  }

  V divisor_, reciprocal_;
  bool is_quick_;
#endif
};

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
