// beside.h: what functions take in the place of an Array beside another one.
#pragma once

#include <optional>

#include "python/src/object/array_object.h"

namespace isthmus::python {

/// An Array as it is, and whatever else asarray() takes as an Array on this device, in the context
/// of `near` if there is one. Throws type for other objects; `who` begins the text.
Array array_from(const char* who, nb::handle object, const Array* near);
/// The same on this device; nothing: on the default one.
Array array_on(const char* who, nb::handle object, const std::optional<Device>& device);
/// The same, where x is.
inline Array array_beside(const char* who, nb::handle object, const Array& x) {
  return array_from(who, object, &x);
}
/// The same; nothing for None.
inline std::optional<Array> optional_array_beside(const char* who, nb::handle object,
                                                  const Array& x) {
  return object.is_none() ? std::nullopt : std::optional(array_from(who, object, &x));
}

/// A number as it is, and an array as array_beside() or array_on() gives it.
class OperandBeside {
 public:
  OperandBeside(const char* who, nb::handle object, const Array& x);
  OperandBeside(const char* who, nb::handle object, const std::optional<Device>& device);
  /// Lasts as long as this and the object.
  const Value& value() const { return *value_; }

 private:
  std::optional<Array> made_;
  std::optional<Value> value_;

 public:
  OperandBeside(const OperandBeside&) = delete;  // the value shows the array
  OperandBeside& operator=(const OperandBeside&) = delete;
};

/// The first one of two objects that is an Array, of which at least one must be. Throws type.
const Array& first_array(const char* who, nb::handle one, nb::handle other);

}  // namespace isthmus::python
