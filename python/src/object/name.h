// name.h: names of attributes and keys as Python keeps them, made once.
#pragma once

#include <Python.h>

#include <algorithm>
#include <cstddef>

#include "python/src/peers/foreign_errors.h"

namespace isthmus::python {

/// The characters of a literal, as a template takes them.
template <std::size_t size>
struct Characters {
  constexpr Characters(const char (&text)[size]) { std::copy_n(text, size, this->text); }  // NOLINT
  char text[size];
};

/// Made when the library is loaded, when memory is hardly short.
template <Characters characters>
inline PyObject* const interned = PyUnicode_InternFromString(characters.text);

/// "shape"_name: an interned text, borrowed, that lives as long as the process.
template <Characters characters>
PyObject* operator""_name() {
  return interned<characters>;
}

/// An attribute, a new reference; null if there is none or asking for it raised an AttributeError,
/// which then is not made, and null with a Python error for what else it raised.
inline PyObject* find_attribute(PyObject* object, PyObject* name) {
  PyObject* found = nullptr;
#if PY_VERSION_HEX >= 0x030D0000
  PyObject_GetOptionalAttr(object, name, &found);
#else
  _PyObject_LookupAttr(object, name, &found);
#endif
  return found;
}

/// Whether an object, not a class, has the attribute; an Exception that asking for it raises is a
/// no. Throws python_error for what else it raises.
inline bool has_attribute(PyObject* object, PyObject* name) {
  if (PyType_Check(object)) return false;
  PyObject* found = find_attribute(object, name);
  if (!found) clear_answer();
  Py_XDECREF(found);
  return found != nullptr;
}

}  // namespace isthmus::python
