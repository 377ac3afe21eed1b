// cleared_interrupt.cpp: exceptions of signals that are raised a second time.
#include "python/src/object/cleared_interrupt.h"

#include <utility>

namespace isthmus::python {

namespace {

/// Handlers of signals run in the main thread alone, so there is one.
struct Kept {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  // compared only: the call that asked for a buffer, as an instruction of a frame
  const void *array = nullptr, *frame = nullptr;
  int instruction = 0;
};
Kept kept;

int instruction_of(PyFrameObject* frame) { return frame ? PyFrame_GetLasti(frame) : -1; }

void forget() {
  const Kept old = std::exchange(kept, {});
  Py_XDECREF(old.type), Py_XDECREF(old.value), Py_XDECREF(old.trace);
}

/// Whether the call goes on, maybe below Python's code that it runs.
bool is_in_call() {
  PyFrameObject* const now = PyEval_GetFrame();
  nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(now));
  while (frame) {
    auto* const at = reinterpret_cast<PyFrameObject*>(frame.ptr());
    if (at == kept.frame && instruction_of(at) == kept.instruction) return true;
    frame = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetBack(at)));
  }
  return false;
}

}  // namespace

void keep_interrupt(PyObject* array) noexcept {
  forget();
  PyFrameObject* const frame = PyEval_GetFrame();
  PyErr_Fetch(&kept.type, &kept.value, &kept.trace);
  Py_XINCREF(kept.type), Py_XINCREF(kept.value), Py_XINCREF(kept.trace);
  kept.array = array, kept.frame = frame, kept.instruction = instruction_of(frame);
  PyErr_Restore(kept.type, kept.value, kept.trace);
  // an exception holds frames: it goes as soon as the call has ended
  const auto drop = [](void*) {
    if (kept.type && !is_in_call()) forget();
    return 0;
  };
  Py_AddPendingCall(drop, nullptr);  // if there is no room for it, the next request forgets it
}

bool raise_cleared_interrupt(PyObject* array) noexcept {
  if (!kept.type) return false;
  PyFrameObject* const frame = PyEval_GetFrame();
  const bool is_here =
      kept.array == array && kept.frame == frame && kept.instruction == instruction_of(frame);
  if (!is_here) return forget(), false;
  const Kept raised = std::exchange(kept, {});
  PyErr_Restore(raised.type, raised.value, raised.trace);
  return true;
}

}  // namespace isthmus::python
