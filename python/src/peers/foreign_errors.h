// foreign_errors.h: exceptions of foreign Python code, where they may be an answer.
#pragma once

#include <nanobind/nanobind.h>

namespace isthmus::python {

/// Whether an exception class can be an answer of the code that raised it ("I have no such
/// attribute"). KeyboardInterrupt, SystemExit and their like are meant for the program. A
/// MemoryError says nothing about the question, nor does a RecursionError: who asks on after it
/// asks every object below once more.
inline bool can_be_answer(PyObject* exception_class) {
  return PyErr_GivenExceptionMatches(exception_class, PyExc_Exception) &&
         !PyErr_GivenExceptionMatches(exception_class, PyExc_MemoryError) &&
         !PyErr_GivenExceptionMatches(exception_class, PyExc_RecursionError);
}

/// Clears the Python error, if one is set. Throws python_error for one that is no answer.
inline void clear_answer() {
  PyObject* const set = PyErr_Occurred();
  if (!set) return;
  if (!can_be_answer(set)) throw nanobind::python_error();
  PyErr_Clear();
}

/// The same in a handler: throws the error again if it is no answer.
inline void require_answer(const nanobind::python_error& error) {
  if (!can_be_answer(error.type().ptr())) throw;
}

}  // namespace isthmus::python
