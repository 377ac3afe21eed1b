// array_on_queue.h: isthmus.cl's class Array as C++ sees it.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

namespace isthmus::python {

/// All but `news` are owned, and may be null, which Python sees as None.
struct ArrayOnQueue {
  PyObject head;    ///< As each object of Python begins.
  PyObject* x;      ///< An Array of ours; null as long as there is only `lanes` or `fresh`.
  PyObject* queue;  ///< pyopencl's or ours.
  PyObject* allocator;
  PyObject* context;  ///< Of an array without a queue.
  PyObject* events;   ///< A list, which views share.
  PyObject* held;     ///< What it lies in, if somebody has asked.
  PyObject* lanes;    ///< An Array of ours, pending.
  PyObject* vector;   ///< The dtype of vectors that have lanes.
  PyObject* fresh;    ///< What a new array's memory will be, as long as nobody has used it.
  long news;          ///< Operations on it since somebody looked at its events.

  bool has_queue() const { return queue && queue != Py_None; }
};

/// Null for other objects.
ArrayOnQueue* as_array_on_queue(PyObject* object);
/// Its `x`, which it gets now if it has none.
nanobind::object x_of(const ArrayOnQueue& one);

}  // namespace isthmus::python
