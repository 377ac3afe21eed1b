// temporary.h: arguments that nobody else can reach.
#pragma once

#include <Python.h>

namespace isthmus::python {

/// Whether an argument of a raw vectorcall function is a temporary that nobody can reach once the
/// call has returned: an exact numpy.ndarray, made in the caller's own expression, whose chain of
/// bases ends in owned data, with one reference each and no weak ones. `slot` is where the
/// interpreter put the argument; ask before anybody else takes a reference.
bool is_only_ours(PyObject* const* slot) noexcept;

}  // namespace isthmus::python
