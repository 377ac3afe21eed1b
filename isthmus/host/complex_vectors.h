// complex_vectors.h: vectors of complex numbers, whose parts lie side by side.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// Of parts of type R.
template <class R>
class ComplexVectors {
 public:
  using V __attribute__((vector_size(vector_bytes))) = R;
  /// Complex numbers in a vector.
  static constexpr int width = vector_bytes / static_cast<int>(2 * sizeof(R));

  /// Products element by element, without branches: those of c_plain_mul, with x or its conjugate.
  template <bool is_of_conjugate = false>
  static V product(V x, V y) {
    return product<is_of_conjugate>(x, y, std::make_index_sequence<2 * width>());
  }

  static bool are_finite(V x) {
    using Words __attribute__((vector_size(vector_bytes))) = std::int64_t;
    const auto words = (Words)(x - x == V{});
    std::int64_t all = -1;
    for (int i = 0; i < vector_bytes / 8; ++i) all &= words[i];
    return all == -1;
  }

 private:
  using Bits = std::conditional_t<sizeof(R) == 4, std::int32_t, std::int64_t>;
  using BitsV __attribute__((vector_size(vector_bytes))) = Bits;

  /// An addition of what has the other sign where c_plain_mul subtracts: the same bits, and the
  /// compiler does not contract it.
  template <bool is_of_conjugate, std::size_t... lane>
  static V product(V x, V y, std::index_sequence<lane...>) {
    constexpr Bits top = std::numeric_limits<Bits>::min();
    constexpr BitsV signs = {(lane % 2 == is_of_conjugate ? top : Bits{0})...};
    const V real = __builtin_shufflevector(x, x, (static_cast<int>(lane) & ~1)...);
    const V imaginary = __builtin_shufflevector(x, x, (static_cast<int>(lane) | 1)...);
    const V swapped = __builtin_shufflevector(y, y, (static_cast<int>(lane) ^ 1)...);
    return real * y + (V)((BitsV)(imaginary * swapped) ^ signs);
  }
};

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
