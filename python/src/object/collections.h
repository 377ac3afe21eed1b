// collections.h: lists and dicts that raise where there is no memory for them; nanobind's own
// constructors hand out null, at which the first item crashes.
#pragma once

#include <nanobind/nanobind.h>

namespace isthmus::python {

/// Throws python_error.
inline nanobind::list new_list() {
  PyObject* made = PyList_New(0);
  if (!made) throw nanobind::python_error();
  return nanobind::steal<nanobind::list>(made);
}

/// Throws python_error.
inline nanobind::dict new_dict() {
  PyObject* made = PyDict_New();
  if (!made) throw nanobind::python_error();
  return nanobind::steal<nanobind::dict>(made);
}

}  // namespace isthmus::python
