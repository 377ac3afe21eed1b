// decimal.h: numbers as decimal text, with the digits that NumPy shows.
#pragma once

#include <span>
#include <string>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How the reals of one array are written so that they stand below each other. NumPy's rules: the
/// shortest digits that tell the dtype's numbers apart, eight after the point at most, and for all
/// an exponent if they are too large, too small or too far apart.
class RealWords {
 public:
  /// Measures `numbers`, which are of `dtype`: float16, float32 or float64. Positive ones get a
  /// sign, too, if `has_plus`.
  RealWords(DType dtype, std::span<const double> numbers, bool has_plus = false);
  std::string operator()(double x) const;

 private:
  DType dtype_;
  bool has_plus_, has_exponent_ = false;
  std::size_t left_ = 0, right_ = 0;  ///< Characters before the point, and digits after it.
  std::size_t exponent_ = 0;          ///< Digits of the exponent.
};

/// A real by itself, all its digits: "0.1", "1e-05", "2.0".
std::string word_of_real(DType dtype, double x);
/// A complex number by itself: "(1+2j)", "2j".
std::string word_of_complex(DType dtype, Complex<double> z);
/// A bfloat16 as ml_dtypes shows it, of six digits at most: "0.100098".
std::string word_of_bfloat(double x);

}  // namespace isthmus::inline ISTHMUS_ABI
