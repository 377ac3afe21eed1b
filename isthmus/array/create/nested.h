// nested.h: elements in nested braces.
#pragma once

#include <initializer_list>

#include "isthmus/array/number.h"
#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A number, or nested lists of numbers of any depth: Array({{1., 2.}, {3., 4.}}).
struct Nested {
  /// A number in a list.
  template <Number T>
  Nested(T number) : numbers(1, to_scalar(number)) {  // NOLINT
    static_assert(!is_character<T>, "a character is not a number: write static_cast<int>(c)");
  }
  /// A list. Throws ValueError if its parts have different shapes.
  ISTHMUS_EXPORT Nested(std::initializer_list<Nested> parts);

  Dims shape;  ///< Empty for a number; for a list, its length and those of its parts.
  detail::SmallVector<Scalar, 1> numbers;  ///< In row-major order.
};

}  // namespace isthmus::inline ISTHMUS_ABI
