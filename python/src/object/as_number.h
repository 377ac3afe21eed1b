// as_number.h: an Array without axes as a number of Python's.
#pragma once

#include "python/src/object/array_object.h"

namespace isthmus::python {

/// @{
/// The slots behind bool(x), int(x), operator.index(x) and float(x). -1 or null with a Python
/// error.
int truth(PyObject* self) noexcept;
PyObject* as_int(PyObject* self) noexcept;
PyObject* as_index(PyObject* self) noexcept;
PyObject* as_float(PyObject* self) noexcept;
/// @}
/// Adds what complex(x), round(x), math.floor(x), math.ceil(x) and math.trunc(x) call.
void add_number_methods(nb::class_<ArrayObject>& c);

}  // namespace isthmus::python
