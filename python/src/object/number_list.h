// number_list.h: nested lists of Python's own numbers as an array.
#pragma once

#include <Python.h>

#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::python {

/// What NumPy would make of nested lists and tuples without subclasses, if all that is in them are
/// bools, ints of 64 bits and floats, and all of a depth have one length: an array of the host.
/// Nothing for all else, of which NumPy knows what it is, or what is wrong with it.
std::optional<Array> array_of_numbers(PyObject* list);

}  // namespace isthmus::python
