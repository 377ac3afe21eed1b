// array_object.h: the Python class Array, and Python objects as values, dtypes, shapes and devices.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/array/array.h"
#include "isthmus/array/create/create.h"
#include "isthmus/runtime/evaluate/put_off.h"

namespace nb = nanobind;

namespace isthmus::python {

/// What those who have read an address from an Array's attributes need as long as it lives.
struct Shown {
  std::vector<Ref<BackendQueue>> queues;  ///< Where they work: one export for each.
  Ref<BackendMemory> nothing;  ///< Has the address that a consumer got where there is no element.
};

/// What a Python Array holds. `shows` counts the attribute protocols through which this object has
/// told its address; whoever read them must hold it, so that its death ends them all.
///
/// Memory that belongs to a Python object may be part of a cycle, and gc follows only references
/// between objects that it knows. So the first Array of a storage of such memory stands for it: all
/// others that share the storage keep that one alive, and it knows how many they are. Likewise the
/// first one of all stands for the memory, and those of its other storages keep it alive.
struct ArrayObject {
  explicit ArrayObject(Array array) : array(std::move(array)) {}
  ArrayObject(const ArrayObject& other) : array(other.array) {}
  ~ArrayObject();
  /// Whoever was shown its address must not look any more.
  void end_shows();
  /// It has its memory no more: it dies, or gc breaks a cycle that it is part of.
  void leave();
  /// Who stands for its storage; itself too where the memory is not a Python object's.
  ArrayObject& first_one();
  Array array;
  PyObject* first = nullptr;   ///< Owned, until this dies: who stands for it; null if nobody else.
  std::uint32_t others = 0;    ///< Of a storage's first one: references to it that gc knows of.
  std::uint32_t storages = 0;  ///< Of the memory's first one: other storages that gc knows of.
  bool is_counted = false;     ///< Among the others of `first`, or its storages.
  bool is_first = false;       ///< Of its storage, whose memory belongs to a Python object.
  std::int32_t shows = 0;
  std::unique_ptr<Shown> shown;  ///< Null unless an attribute needed it.
};

extern PyTypeObject* array_type;

inline bool is_array(PyObject* object) { return Py_TYPE(object) == array_type; }
inline ArrayObject& object_of(PyObject* object) { return *nb::inst_ptr<ArrayObject>(object); }
inline const Array& array_of(PyObject* object) { return object_of(object).array; }
inline ArrayObject& ArrayObject::first_one() {
  return first && !is_first ? object_of(first) : *this;
}
/// A new reference to a new Python object.
PyObject* wrap(Array array);

/// An Array or a number as an operand; nothing if it is neither, and no Python error is set.
/// Python numbers are weak; NumPy scalars and 0-d arrays are strong. Throws overflow.
std::optional<Value> value_of(PyObject* object);
/// Throws type if it is neither; `who` begins the text.
Value require_value(const char* who, PyObject* object);
/// The same of all arguments of a user's kernel of that name.
std::vector<Value> values_of(const std::string& kernel, const nb::args& args);
const Array& require_array(const char* who, PyObject* object);

/// The numpy.dtype of a dtype, as a borrowed reference.
PyObject* dtype_object(DType dtype);
/// Whether there is one: of a struct that did not come from NumPy there may be none.
bool has_dtype_object(DType dtype);
/// Of one of the objects that dtype_object() gives for the built-in dtypes; nothing for others.
std::optional<DType> builtin_dtype_of(nb::handle object);
/// Anything numpy.dtype() takes. Throws type for what Isthmus has no dtype for, big-endian too.
DType dtype_of(nb::handle object);
/// Nothing for None.
std::optional<DType> optional_dtype(nb::handle object);

/// Whether an object is one int, which numpy.array(2) is and numpy.array([2]) is not.
bool is_int(nb::handle object);
/// An int or a sequence of ints.
Dims dims_of(const char* who, nb::handle object);
/// The value of an object with __index__. Throws type for others, value past 64 bits.
std::int64_t int_of(const char* who, nb::handle object);
/// None: nothing; an int or a tuple of ints.
std::optional<Dims> axes_of(const char* who, nb::handle object);
nb::tuple tuple_of(std::span<const std::int64_t> numbers);

/// A Device, a text such as "opencl:0", or None for the default one.
Device device_of(nb::handle object);
/// The Python number of an element: bool, int, float or complex.
PyObject* number_of(const Scalar& scalar);

/// Whether the interpreter is going down: Python must not be called from here on.
inline bool is_finalizing() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

/// The Array that `out` is, or has if it is a tuple of one. Throws type for others.
nb::handle target_of(const char* who, nb::handle out);
/// NumPy's `out=`: what `make` returns as a new object; or where `out` is an Array, or a tuple of
/// one, written to that by the same kernel, and that itself.
template <class F>
nb::object made_into(const char* who, nb::handle out, F make) {
  if (out.is_none()) return nb::steal(wrap(make()));
  const nb::handle target = target_of(who, out);
  const WrittenAtOnce written;
  write_result(who, array_of(target.ptr()), make());
  return nb::borrow(target);
}

/// Sets the Python error for the C++ exception that is being handled; for raw slots.
void set_python_error() noexcept;
/// Runs `f`, which returns a new reference; a C++ exception becomes a Python error and nullptr.
template <class F>
PyObject* guarded(F f) noexcept {
  try {
    return f();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

}  // namespace isthmus::python
