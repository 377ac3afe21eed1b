// checked.h: arithmetic of extents, strides, offsets and bytes, whose results may not fit.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// result = a + b and a * b. Returns whether it fits; if not, `result` is not usable.
template <std::integral A, std::integral B, std::integral R>
[[nodiscard]] constexpr bool sum_fits(A a, B b, R& result) {
  return !__builtin_add_overflow(a, b, &result);
}
template <std::integral A, std::integral B, std::integral R>
[[nodiscard]] constexpr bool product_fits(A a, B b, R& result) {
  return !__builtin_mul_overflow(a, b, &result);
}

/// The product of two natural numbers, or the largest number: for amounts of work, not for offsets.
constexpr std::int64_t product_at_most(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return product_fits(a, b, result) ? result : std::numeric_limits<std::int64_t>::max();
}

/// The number of parts of `size` that cover `count`, where their sum need not fit.
constexpr std::int64_t divided_up(std::int64_t count, std::int64_t size) {
  return count / size + (count % size != 0);
}

/// The product of extents: 0 if one of them is 0, whatever the others are; else at most 2^63-1.
constexpr std::int64_t product_of(std::span<const std::int64_t> extents) {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent == 0) return 0;
    product = product_at_most(product, extent);
  }
  return product;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
