// cleared_interrupt.h: what a signal's handler raised, where a consumer of buffers clears errors.
#pragma once

#include "python/src/object/array_object.h"

namespace isthmus::python {

/// NumPy clears any error of a buffer, and asks for __array_interface__ next. What a handler raised
/// meanwhile, the error that is set, is kept for that.
void keep_interrupt(PyObject* array) noexcept;
/// Sets what was kept, if it was for this array and Python's code has not gone on since; whether it
/// did. Forgets it in any case.
bool raise_cleared_interrupt(PyObject* array) noexcept;

}  // namespace isthmus::python
