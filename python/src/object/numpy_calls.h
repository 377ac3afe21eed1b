// numpy_calls.h: NumPy's hooks, as methods of the class Array.
#pragma once

#include <Python.h>

namespace isthmus::python {

/// __array_ufunc__ and __array_function__; ended by nulls.
extern const PyMethodDef numpy_methods[];

}  // namespace isthmus::python
