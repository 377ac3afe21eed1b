// format.h: arrays as text.
#pragma once

#include <ostream>
#include <string>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The elements as NumPy's str() shows them: rows in brackets, columns below each other, of more
/// than 1000 elements the first and last three along each axis. bfloat16 as ml_dtypes shows it,
/// structs as the name of their dtype.
///
/// Evaluates the array and waits for it; copies only what is shown, if the host cannot look where
/// it lies. Throws the error of a value that failed.
ISTHMUS_EXPORT std::string to_string(const Array& x);
/// As to_string(). If the stream's precision, width or number flags were changed, each number is
/// written with them and the stream's locale, and padded to the width at least.
ISTHMUS_EXPORT std::ostream& operator<<(std::ostream& out, const Array& x);

/// A number, as an array without axes: what x.item() gives.
ISTHMUS_EXPORT std::ostream& operator<<(std::ostream& out, const Scalar& number);

/// @{
/// What an array is, as errors have it: "float32", "opencl:0", "(3, 4)".
inline std::ostream& operator<<(std::ostream& out, DType dtype) { return out << to_string(dtype); }
inline std::ostream& operator<<(std::ostream& out, const Device& device) {
  return out << to_string(device);
}
/// @}
namespace detail {
inline std::ostream& operator<<(std::ostream& out, const Dims& shape) {
  return out << format("{}", shape);
}
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
