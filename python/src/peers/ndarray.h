// ndarray.h: NumPy's array object as it lies in memory.
#pragma once

#include <Python.h>

#include "isthmus/array/array.h"

namespace isthmus::python {

/// The head of numpy.ndarray, whose layout NumPy has kept since 1.0.
struct Ndarray {
  PyObject_HEAD char* data;
  int ndim;
  Py_ssize_t *shape, *byte_strides;
  PyObject *base, *dtype;
  int flags;
  PyObject* weak_references;

  static constexpr int owns_data = 4, is_writeable = 0x400, writes_back = 0x2000;
};

/// The object as a numpy.ndarray, or null for what is none, for subclasses with a __dlpack__ of
/// their own, and for all if this NumPy has another layout than we know.
const Ndarray* as_ndarray(PyObject* object);

/// Its memory, which it shares with the result and keeps. `dtype` is that of its elements. Throws
/// exchange for strides between elements, and where elements are misaligned.
Array import_ndarray(const Ndarray& array, DType dtype, bool is_private);

/// numpy.ndarray; null if this NumPy has another layout than we know.
PyTypeObject* ndarray_type() noexcept;

}  // namespace isthmus::python
