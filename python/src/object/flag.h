// flag.h: arguments that are true or false.
#pragma once

#include <Python.h>

#include <cstring>

#include <nanobind/nanobind.h>

#include "isthmus/array/shape.h"

namespace nanobind::detail {

/// From a bool of Python or NumPy, and from the ints 0 and 1, which NumPy takes for flags, too.
template <>
struct type_caster<isthmus::Flag> {
  using Value = isthmus::Flag;
  static constexpr auto Name = const_name("bool");
  template <class T>
  using Cast = isthmus::Flag;
  template <class T>
  static constexpr bool can_cast() {
    return true;
  }

  bool from_python(handle object, std::uint8_t, cleanup_list*) noexcept {
    const char* const type = Py_TYPE(object.ptr())->tp_name;
    const bool is_numpy =
        std::strcmp(type, "numpy.bool") == 0 || std::strcmp(type, "numpy.bool_") == 0;
    if (PyBool_Check(object.ptr()) || is_numpy) {
      is_on = PyObject_IsTrue(object.ptr()) == 1;
      return true;
    }
    if (!PyLong_CheckExact(object.ptr())) return false;
    int overflow = 0;
    const long number = PyLong_AsLongAndOverflow(object.ptr(), &overflow);
    is_on = number == 1;
    return overflow == 0 && (number == 0 || number == 1);
  }
  static handle from_cpp(isthmus::Flag flag, rv_policy, cleanup_list*) noexcept {
    return handle(flag ? Py_True : Py_False).inc_ref();
  }
  explicit operator isthmus::Flag() const { return is_on; }

  bool is_on = false;
};

}  // namespace nanobind::detail
