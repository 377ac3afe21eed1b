// value.h: Value, an operand.
#pragma once

#include "isthmus/array/number.h"

namespace isthmus {

class Array;

/// An operand: an array, or a number. Numbers of C++ are weak, literals and variables alike: beside
/// arrays they take the arrays' dtype as far as its kind allows, as in NumPy 2. Alone they make
/// that of their own type, int and double, which literals have unless they say otherwise, int64
/// and the device's default real one. A strong number keeps its dtype beside arrays, too, as does
/// an array: x * Array(0.5). Only to be an argument: it does not keep the array.
struct Value {
  const Array* array = nullptr;
  Scalar scalar;
  bool is_weak = true;
  bool is_past_64_bits = false;  ///< A weak integer that `scalar` has as a double, perhaps rounded.

  Value(const Array& x) : array(&x) {}  // NOLINT: an array is an operand
  template <Number T>
  Value(T value) : scalar(to_scalar(value)) {}  // NOLINT: and so is a number
  Value(Scalar number, bool weak = false) : scalar(number), is_weak(weak) {}  // NOLINT
  /// An integer of any size; infinite past the doubles too.
  static Value past_64_bits(double integer) {
    Value value(integer);
    value.is_past_64_bits = true;
    return value;
  }
};

}  // namespace isthmus
