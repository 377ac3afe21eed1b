// lists.h: arrays as nested lists of Python's numbers.
#pragma once

#include <Python.h>

#include "isthmus/array/array.h"

namespace isthmus::python {

/// The elements of an array of numbers, or the only one of an array without axes: a new reference.
/// Waits for them. Throws what evaluating throws.
PyObject* list_of_numbers(const Array& x);

}  // namespace isthmus::python
