// value.h: Value, an operand.
#pragma once

#include "isthmus/array/number.h"

namespace isthmus::inline ISTHMUS_ABI {

class Array;

/// An operand: an array, or a number. Numbers of C++ are weak, literals and variables alike: beside
/// arrays they take the arrays' dtype as far as its kind allows, as in NumPy 2. Alone they make
/// that of their own type, int and double, which literals have unless they say otherwise, int64
/// and the device's default real one. A strong number keeps its dtype beside arrays, too, as does
/// an array: x * Array(0.5). Only to be an argument: it does not keep the array, so that of
/// Value v = x + y nothing would be left, of which Clang warns.
struct Value {
  const Array* array = nullptr;  ///< Null for a number.
  /// The same, if it has no name: a calculation releases it, which leaves it empty. Its own value
  /// is then calculated within the kernel that needs it, not written to memory of its own.
  Array* released = nullptr;
  Scalar scalar;                 ///< The number, if it is one.
  bool is_weak = true;           ///< Whether the number takes the dtype of arrays beside it.
  bool is_past_64_bits = false;  ///< A weak integer that `scalar` has as a double, perhaps rounded.

  /// An array. It must outlive the operand.
  Value(const Array& x ISTHMUS_LIFETIMEBOUND) : array(&x) {}  // NOLINT: an array is an operand
  /// An array that has no name.
  Value(Array&& x ISTHMUS_LIFETIMEBOUND) : array(&x), released(&x) {}  // NOLINT
  /// A weak number.
  template <Number T>
  Value(T value) : scalar(to_scalar(value)) {}  // NOLINT: and so is a number
  /// A number with a dtype.
  Value(Scalar number, bool weak = false) : scalar(number), is_weak(weak) {}  // NOLINT
  /// An integer of any size; infinite past the doubles too.
  static Value past_64_bits(double integer) {
    Value value(integer);
    value.is_past_64_bits = true;
    return value;
  }
};

}  // namespace isthmus::inline ISTHMUS_ABI
