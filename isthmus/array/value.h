// value.h: Value, an operand.
#pragma once

#include <utility>

#include "isthmus/array/array_class.h"
#include "isthmus/array/number.h"

namespace isthmus::inline ISTHMUS_ABI {

/// An operand: an array, or a number. C++ numbers are weak, both literals and variables: next to
/// arrays they take the dtype of the arrays as far as its kind allows, as in NumPy 2. Alone they
/// have the dtype of their own type; int gives int64, and double, the type of plain real literals,
/// gives the default real dtype of the device. A strong number keeps its dtype next to arrays, as
/// does an array: x * Array(0.5).
///
/// Intended as an argument. A named Value keeps a temporary array: after Value v = x + y, the first
/// calculation with v consumes x + y, and a second one throws ValueError. A named array must
/// outlive the operand.
struct Value {
  const Array* array = nullptr;  ///< Null for a number.
  /// The same, if it is a temporary: a calculation releases it, which leaves it empty. Its value is
  /// then calculated within the kernel that needs it, not written to its own memory.
  Array* released = nullptr;
  Scalar scalar;                 ///< The number, if it is one.
  bool is_weak = true;           ///< Whether the number takes the dtype of arrays next to it.
  bool is_past_64_bits = false;  ///< A weak integer, in `scalar` as a double, perhaps rounded.

  /// An array. It must outlive the operand.
  Value(const Array& x ISTHMUS_LIFETIMEBOUND) : array(&x) {}  // NOLINT: an array is an operand
  /// A temporary array, which the operand keeps.
  Value(Array&& x) : kept_(std::move(x)) { array = released = &kept_; }  // NOLINT
  /// A weak number.
  template <Number T>
  Value(T value) : scalar(to_scalar(value)) {}  // NOLINT: and so is a number
  /// A number with a dtype.
  Value(Scalar number, bool weak = false) : scalar(number), is_weak(weak) {}  // NOLINT
  /// An integer of any size; infinite if it is outside the range of double.
  static Value past_64_bits(double integer) {
    Value value(integer);
    value.is_past_64_bits = true;
    return value;
  }
  /// An array that a calculation will release, and that outlives the operand.
  static Value of_released(Array& x ISTHMUS_LIFETIMEBOUND) {
    Value value(std::as_const(x));
    value.released = &x;
    return value;
  }
  /// The same operand without ownership: for a call that ends before this object does.
  Value lent() const ISTHMUS_LIFETIMEBOUND {
    Value value(scalar, is_weak);
    value.array = array, value.released = released, value.is_past_64_bits = is_past_64_bits;
    return value;
  }

  /// A copy of the operand; it keeps what the other one keeps, and does not release it.
  Value(const Value& other)
      : array(other.array),
        released(other.released),
        scalar(other.scalar),
        is_weak(other.is_weak),
        is_past_64_bits(other.is_past_64_bits) {
    if (other.keeps()) kept_ = other.kept_, array = &kept_, released = nullptr;
  }
  /// Moves the operand, and takes over what the other one kept.
  Value(Value&& other) noexcept
      : array(other.array),
        released(other.released),
        scalar(other.scalar),
        is_weak(other.is_weak),
        is_past_64_bits(other.is_past_64_bits) {
    take(other);
  }
  /// Makes it the other operand.
  Value& operator=(Value other) noexcept {
    array = other.array, released = other.released, scalar = other.scalar;
    is_weak = other.is_weak, is_past_64_bits = other.is_past_64_bits;
    kept_ = Array();
    take(other);
    return *this;
  }
  ~Value() = default;

 private:
  bool keeps() const { return array == &kept_; }
  void take(Value& other) noexcept {
    if (!other.keeps()) return;
    kept_ = std::move(other.kept_);
    array = &kept_;
    if (released) released = &kept_;
  }
  Array kept_;  // empty, unless it is what `array` points to
};

}  // namespace isthmus::inline ISTHMUS_ABI
