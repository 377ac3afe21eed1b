// nested.h: elements written down in nested braces.
#pragma once

#include <initializer_list>

#include "isthmus/array/number.h"
#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A number, or a list of lists of numbers as deep as one likes: Array({{1., 2.}, {3., 4.}}).
struct Nested {
  /// A number in a list.
  template <Number T>
  Nested(T number) : numbers(1, to_scalar(number)) {  // NOLINT
    static_assert(!is_character<T>, "a character is no number: write static_cast<int>(c)");
  }
  /// A list. Throws ValueError if its parts have different shapes.
  ISTHMUS_EXPORT Nested(std::initializer_list<Nested> parts);

  Dims shape;  ///< Of a number, none; of a list, its length and its parts'.
  detail::SmallVector<Scalar, 1> numbers;  ///< In row-major order.
};

}  // namespace isthmus::inline ISTHMUS_ABI
