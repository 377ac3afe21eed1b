// lapack.h: the functions of LAPACK in the library that multiplies matrices on the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// By their names for real numbers.
enum class Routine : std::uint8_t {
#define ROUTINE(real, complex) real,
#include "isthmus/runtime/libraries/lapack.def"
};
inline constexpr std::size_t routine_count = 0
#define ROUTINE(real, complex) +1
#include "isthmus/runtime/libraries/lapack.def"
    ;

/// The functions of one library, as Fortran has them: every argument is an address, integers have
/// 64 bits or 32, and the length of each text follows behind the last argument.
class Lapack {
 public:
  /// `type` is float32, float64, complex64 or complex128.
  void* function(Routine routine, TypeId type) const {
    return functions_[static_cast<std::size_t>(routine)][index_of(type)];
  }
  bool has_wide_integers() const { return has_wide_integers_; }
  /// An integer that the library wrote to the beginning of 64 bits.
  std::int64_t integer(std::int64_t written) const {
    return has_wide_integers_ ? written : static_cast<std::int32_t>(written);
  }
  /// The i-th one of an array of integers that it wrote.
  std::int64_t integer(const std::int64_t* written, std::int64_t i) const {
    return has_wide_integers_ ? written[i] : reinterpret_cast<const std::int32_t*>(written)[i];
  }

 private:
  friend struct BlasSearch;

  static std::size_t index_of(TypeId type) {
    return type == TypeId::float32     ? 0
           : type == TypeId::float64   ? 1
           : type == TypeId::complex64 ? 2
                                       : 3;
  }

  bool has_wide_integers_ = false;
  std::array<std::array<void*, 4>, routine_count> functions_{};
};

}  // namespace isthmus::inline ISTHMUS_ABI
