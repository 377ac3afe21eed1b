// indexing.h: the slots of Array for x[key] and x[key] = value.
#pragma once

#include <Python.h>

#include <vector>

#include "isthmus/array/index/index.h"

namespace isthmus::python {

/// The entries of a key: those of a tuple, or itself. Throws index for what is none.
std::vector<IndexEntry> entries_of(const char* who, const Array& x, PyObject* key);

/// What the key shows, as a new reference: a view, new memory where arrays are in the key, or
/// fields of structs. Null with a Python error.
PyObject* subscript(PyObject* self, PyObject* key) noexcept;
/// Writes whatever asarray() takes. -1 with a Python error; a null `value` (del x[key]) is refused.
int assign_subscript(PyObject* self, PyObject* key, PyObject* value) noexcept;
/// @{
/// The same at a place along the first axis, as the sequences of C are asked: what counts from the
/// end comes with the length added to it.
PyObject* item_at(PyObject* self, Py_ssize_t place) noexcept;
int assign_item(PyObject* self, Py_ssize_t place, PyObject* value) noexcept;
/// @}

/// Writes that to all elements; `who` is the call in errors.
void set_all(const char* who, const Array& x, PyObject* value);

}  // namespace isthmus::python
