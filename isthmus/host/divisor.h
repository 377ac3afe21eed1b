// divisor.h: quotients of integers by one divisor, as products, of which processors have vectors.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// @{
/// The upper half of a product.
inline std::uint16_t high_product(std::uint16_t x, std::uint16_t y) {
  return static_cast<std::uint16_t>(std::uint32_t{x} * y >> 16);
}
inline std::uint32_t high_product(std::uint32_t x, std::uint32_t y) {
  return static_cast<std::uint32_t>(std::uint64_t{x} * y >> 32);
}
inline std::uint64_t high_product(std::uint64_t x, std::uint64_t y) {  // of products of halves
  constexpr std::uint64_t low = 0xffffffff;
  const std::uint64_t x0 = x & low, x1 = x >> 32, y0 = y & low, y1 = y >> 32;
  const std::uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
  return x1 * y1 + (middle >> 32) + ((x0 * y1 + (middle & low)) >> 32);
}
/// @}

/// Divides any natural number of its type by a `divisor` that is not 0. Source: T. Granlund, P. L.
/// Montgomery, Division by invariant integers using multiplication, 1994, figure 4.1.
template <class Word>
class Divisor {
 public:
  explicit Divisor(Word divisor) {
    constexpr int width = std::numeric_limits<Word>::digits;
    const int bits = divisor > 1 ? width - std::countl_zero(static_cast<Word>(divisor - 1)) : 0;
    const unsigned __int128 power = static_cast<unsigned __int128>(1) << bits;
    factor_ = static_cast<Word>(((power - divisor) << width) / divisor + 1);
    first_shift_ = bits > 1 ? 1 : bits;
    last_shift_ = bits > 1 ? bits - 1 : 0;
  }
  Word quotient(Word x) const {
    const Word high = high_product(factor_, x);
    const auto half = static_cast<Word>(static_cast<Word>(x - high) >> first_shift_);
    return static_cast<Word>(static_cast<Word>(high + half) >> last_shift_);
  }

 private:
  Word factor_;
  int first_shift_, last_shift_;
};

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
