// format.h: formatting of arrays.
#pragma once

#include <ostream>
#include <string>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The elements as formatted by NumPy's str(): rows in brackets, aligned columns, and for more than
/// 1000 elements only the first and last three along each axis. bfloat16 is formatted as by
/// ml_dtypes, structs as the name of their dtype.
///
/// Evaluates the array and waits for it. If the host cannot access its memory, only the shown
/// elements are copied. Throws the error of a value that failed.
ISTHMUS_EXPORT std::string to_string(const Array& x);
/// Writes to_string(x). If the stream's precision, width or number flags were changed, each number
/// is written with them and the stream's locale, and padded to the width at least.
ISTHMUS_EXPORT std::ostream& operator<<(std::ostream& out, const Array& x);

/// Writes a number, such as x.item(), like an array without axes.
ISTHMUS_EXPORT std::ostream& operator<<(std::ostream& out, const Scalar& number);

/// @{
/// Writes a property of an array as in error messages: "float32", "opencl:0", "(3, 4)".
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
