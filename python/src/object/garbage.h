// garbage.h: what Python's collector needs to know of Arrays.
#pragma once

#include <Python.h>

namespace isthmus::python {

struct ArrayObject;

/// Makes a new object the first one of a storage of a Python object's memory, or of all of that,
/// or one of the others; see ArrayObject.
void note_first(ArrayObject& object, PyObject* self);
/// Array's tp_traverse and tp_clear.
int traverse_array(PyObject* self, visitproc visit, void* arg) noexcept;
int clear_array(PyObject* self) noexcept;

}  // namespace isthmus::python
