// entry.h: where a function of nanobind has the C function that is called.
#pragma once

#include <nanobind/nanobind.h>

namespace isthmus::python {

/// The slot that the function's type names by tp_vectorcall_offset (PEP 590). Writing to it changes
/// what a call of this function does.
inline vectorcallfunc& entry_of(nanobind::handle function) {
  return *reinterpret_cast<vectorcallfunc*>(reinterpret_cast<char*>(function.ptr()) +
                                            Py_TYPE(function.ptr())->tp_vectorcall_offset);
}

}  // namespace isthmus::python
