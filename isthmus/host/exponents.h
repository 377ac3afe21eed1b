// exponents.h: exponents of two as numbers, by bits, so that loops become vectors. Kernels have
// exponent_functions.inc.
#pragma once

#include <bit>
#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// @{
/// 2 to the power of a whole number, of which a normal number comes. Behind 1.5 * 2^52 the last
/// bits of a double are those of a whole number.
inline float real_power_of_two(float n) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23);
}
inline double real_power_of_two(double n) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(n + (6755399441055744.0 + 1023)) << 52);
}
/// @}

/// @{
/// The power of two that a normal positive number begins with.
inline float real_binary_exponent(float x) {
  return static_cast<float>(
      static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(x) >> 23 & 0xff) - 127);
}
inline double real_binary_exponent(double x) {
  constexpr std::uint64_t of_2_to_52 = 0x4330000000000000;
  const std::uint64_t biased = std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff;
  return std::bit_cast<double>(biased | of_2_to_52) - (4503599627370496.0 + 1023);
}
/// @}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
