// divisor.h: 64-bit quotients by one divisor, as products, of which processors have vectors.
#pragma once

#include <bit>
#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// The upper half of a product, of products of halves.
inline std::uint64_t high_product(std::uint64_t x, std::uint64_t y) {
  constexpr std::uint64_t low = 0xffffffff;
  const std::uint64_t x0 = x & low, x1 = x >> 32, y0 = y & low, y1 = y >> 32;
  const std::uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
  return x1 * y1 + (middle >> 32) + ((x0 * y1 + (middle & low)) >> 32);
}

/// Divides any number by a `divisor` that is not 0. Source: T. Granlund, P. L. Montgomery,
/// Division by invariant integers using multiplication, 1994, figure 4.1.
class Divisor {
 public:
  explicit Divisor(std::uint64_t divisor) {
    const int bits = divisor > 1 ? 64 - std::countl_zero(divisor - 1) : 0;
    const unsigned __int128 power = static_cast<unsigned __int128>(1) << bits;
    factor_ = static_cast<std::uint64_t>(((power - divisor) << 64) / divisor) + 1;
    first_shift_ = bits > 1 ? 1 : bits;
    last_shift_ = bits > 1 ? bits - 1 : 0;
  }
  std::uint64_t quotient(std::uint64_t x) const {
    const std::uint64_t high = high_product(factor_, x);
    return (high + ((x - high) >> first_shift_)) >> last_shift_;
  }

 private:
  std::uint64_t factor_;
  int first_shift_, last_shift_;
};

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
