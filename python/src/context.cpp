// context.cpp: fusing() and `with device:`.
#include "python/src/context.h"

#include "isthmus/runtime/fusing.h"
#include "python/src/array_object.h"

namespace isthmus::python {

namespace {

// Each holds None or a pair (value, what it held before), and lives as long as the process.
PyObject* fusing_variable = nullptr;
PyObject* device_variable = nullptr;

PyObject* make_variable(const char* name) {
  PyObject* variable = PyContextVar_New(name, Py_None);
  if (!variable) throw nb::python_error();
  return variable;
}

nb::object value_in(PyObject* variable) {
  PyObject* value = nullptr;
  if (PyContextVar_Get(variable, nullptr, &value) < 0) throw nb::python_error();
  return nb::steal(value);
}

void set(PyObject* variable, nb::handle value) {
  PyObject* token = PyContextVar_Set(variable, value.ptr());
  if (!token) throw nb::python_error();
  Py_DECREF(token);
}

void push(PyObject* variable, nb::handle value) {
  set(variable, nb::make_tuple(value, value_in(variable)));
}

void pop(PyObject* variable) {
  const nb::object pair = value_in(variable);
  check(!pair.is_none(), Errc::value, "exit: nothing was entered in this context");
  set(variable, pair[1]);
}

/// Asked only when an operation reads shared memory.
bool is_fusing() {
  if (!PyGILState_Check()) return false;  // a thread of C++, which Python's promises do not reach
  return !value_in(fusing_variable).is_none();
}

}  // namespace

std::optional<Device> context_device() {
  const nb::object pair = value_in(device_variable);
  if (pair.is_none()) return {};
  return nb::cast<Device>(pair[0]);
}

void bind_context(nb::module_& m) {
  fusing_variable = make_variable("isthmus.fusing");
  device_variable = make_variable("isthmus.device");
  set_fusing_hook(is_fusing);
  m.def(
      "_enter_fusing", [] { push(fusing_variable, nb::bool_(true)); },
      nb::sig("def _enter_fusing() -> None"));
  m.def(
      "_exit_fusing",
      [] {
        pop(fusing_variable);
        if (!Fusing::is_on()) end_fusing();
      },
      nb::sig("def _exit_fusing() -> None"));
  auto device = nb::borrow<nb::class_<Device>>(m.attr("Device"));
  device.def(
      "__enter__",
      [](nb::handle self) {
        push(device_variable, self);
        return nb::borrow(self);
      },
      nb::sig("def __enter__(self) -> Device"),
      "Makes it the device of new arrays inside `with`, in this thread or task.");
  device.def(
      "__exit__", [](nb::handle, nb::args) { pop(device_variable); },
      nb::sig("def __exit__(self, *args: object) -> None"));
}

}  // namespace isthmus::python
