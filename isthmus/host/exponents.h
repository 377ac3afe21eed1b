// exponents.h: exponents of two as numbers, by bits, so that loops become vectors. Kernels have
// exponent_functions.inc.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

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

/// Whether the sign bit is set.
template <class T>
bool sign_bit(T x) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  return std::bit_cast<Bits>(x) < 0;
}

/// What of a number real_part_of_two() gives.
enum class PartOfTwo : std::uint8_t { mantissa, exponent, ilogb };

/// real_mantissa(), real_exponent() or real_ilogb() of real_functions.inc and
/// special_functions.inc, which call the C library. Choices are made by masks: of two that depend
/// on each other compilers make branches, not vectors.
template <class T, PartOfTwo part>
auto real_part_of_two(T x) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr int places = sizeof(T) == 4 ? 23 : 52;
  constexpr Bits all_ones = sizeof(T) == 4 ? 0xff : 0x7ff, of_half = all_ones / 2 - 1;
  constexpr auto raised = static_cast<T>(Bits{1} << (places + 1));
  const auto given = std::bit_cast<Bits>(x);
  const Bits size = given & std::numeric_limits<Bits>::max();
  // what is too small to be normal is multiplied first; nothing is lost by that
  const Bits small = (size - (Bits{1} << places)) >> (8 * sizeof(T) - 1);
  const Bits bits = (std::bit_cast<Bits>(x * raised) & small) | (given & ~small);
  const Bits biased = bits >> places & all_ones;
  const bool is_kept = (size == 0) | (biased == all_ones);
  const Bits exponent = biased - of_half - ((places + 1) & small);
  if constexpr (part == PartOfTwo::ilogb) {
    using Limits = std::numeric_limits<std::int32_t>;
    const Bits kept = size == 0 ? Bits{Limits::min()} : Bits{Limits::max()};
    return static_cast<std::int32_t>(is_kept ? kept : exponent - 1);
  } else if constexpr (part == PartOfTwo::exponent) {
    return static_cast<T>(static_cast<std::int32_t>(is_kept ? 0 : exponent));
  } else {
    return std::bit_cast<T>(is_kept ? given : (bits & ~(all_ones << places)) | of_half << places);
  }
}

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
