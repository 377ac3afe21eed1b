// nested.h: elements written down in nested braces.
#pragma once

#include <initializer_list>

#include "isthmus/array/number.h"
#include "isthmus/core/layout.h"

namespace isthmus {

/// A number, or a list of lists of numbers, `{{1., 2.}, {3., 4.}}`, as deep as one likes. Throws
/// value for lists whose parts have different shapes.
struct Nested {
  template <Number T>
  Nested(T number) : numbers(1, to_scalar(number)) {}  // NOLINT: a number in a list
  ISTHMUS_EXPORT Nested(std::initializer_list<Nested> parts);

  Dims shape;
  detail::SmallVector<Scalar, 1> numbers;  ///< In row-major order.
};

}  // namespace isthmus
