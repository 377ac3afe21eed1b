// opencl_objects.cpp: handles out of pyopencl's objects, and objects around ours.
#include "python/src/opencl_objects.h"

#include "isthmus/runtime/registry.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/arguments.h"

namespace isthmus::python {

namespace {

Backend& opencl_backend() {
  const Unblocked unblocked;  // the first one opens the drivers
  return backend("opencl");
}

void require_opencl(const Device& device) {
  check(device.backend() == "opencl", Errc::exchange,
        "pyopencl: {} is not OpenCL's; asarray(x, device=\"opencl:0\", copy=False) shares memory "
        "with it where it can",
        device);
}

/// pyopencl takes the reference that the handle came with; `drop` if it does not.
nb::object take_handle(const char* type, std::uintptr_t handle,
                       void (Backend::*drop)(std::uintptr_t) noexcept) {
  try {
    const nb::object wrapper = nb::module_::import_("pyopencl").attr(type);
    return wrapper.attr("from_int_ptr")(handle, nb::arg("retain") = false);
  } catch (...) {
    (opencl_backend().*drop)(handle);
    throw;
  }
}

}  // namespace

nb::object imported_module(const char* name) {
  PyObject* modules = PyImport_GetModuleDict();  // borrowed
  PyObject* found = modules ? PyDict_GetItemString(modules, name) : nullptr;
  return found ? nb::borrow(found) : nb::object();
}

bool is_pyopencl(nb::handle object) {
  return !PyType_Check(object.ptr()) && PyObject_HasAttrString(object.ptr(), "int_ptr");
}

std::uintptr_t opencl_handle_of(std::string_view who, nb::handle object) {
  const nb::object number = nb::steal(PyObject_GetAttrString(object.ptr(), "int_ptr"));
  const unsigned long long handle =
      number && PyLong_Check(number.ptr()) ? PyLong_AsUnsignedLongLong(number.ptr()) : 0;
  PyErr_Clear();
  check(handle != 0, Errc::exchange, "{}: {} has no handle of OpenCL in int_ptr", who,
        found_as(object));
  return handle;
}

Ref<Queue> opencl_queue_of(std::string_view who, nb::handle queue) {
  return opencl_backend().adopt_queue(opencl_handle_of(who, queue));
}

Ref<Context> opencl_context_of(std::string_view who, nb::handle context) {
  return opencl_backend().adopt_context(opencl_handle_of(who, context));
}

Ref<Event> opencl_event_of(std::string_view who, nb::handle event) {
  return opencl_backend().adopt_event(opencl_handle_of(who, event));
}

nb::object pyopencl_queue_of(Queue& queue) {
  require_opencl(queue.context->device);
  Backend& b = opencl_backend();
  return take_handle("CommandQueue", b.export_queue(queue), &Backend::drop_queue);
}

nb::object pyopencl_context_of(Context& context) {
  require_opencl(context.device);
  Backend& b = opencl_backend();
  return take_handle("Context", b.export_context(context), &Backend::drop_context);
}

}  // namespace isthmus::python
