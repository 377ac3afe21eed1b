// opencl_objects.cpp: handles out of pyopencl's objects, and objects around ours.
#include "python/src/peers/opencl_objects.h"

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/object/arguments.h"
#include "python/src/object/name.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/foreign_errors.h"

namespace isthmus::python {

namespace {

constinit ForeignClass queue_class("pyopencl", "CommandQueue");
constinit ForeignClass context_class("pyopencl", "Context");
constinit ForeignClass event_class("pyopencl", "Event");

Backend& opencl_backend() {
  static Backend* kept = nullptr;
  return kept_backend(kept, "opencl");
}

void require_opencl(const Device& device) {
  check(device.backend() == "opencl", Errc::exchange,
        "pyopencl: {} is not an OpenCL device; asarray(x, device=\"opencl:0\", copy=False) shares "
        "memory with it if possible",
        device);
}

/// pyopencl takes the reference that the handle came with; `drop` if it does not.
nb::object take_handle(ForeignClass& type, std::uintptr_t handle,
                       void (Backend::*drop)(std::uintptr_t) noexcept) {
  try {
    return type.get().attr("from_int_ptr")(handle, nb::arg("retain") = false);
  } catch (...) {
    (opencl_backend().*drop)(handle);
    throw;
  }
}

}  // namespace

bool is_pyopencl(nb::handle object) { return has_attribute(object.ptr(), "int_ptr"_name); }

bool is_pyopencl_queue(nb::handle object) { return queue_class.has(object); }

std::uintptr_t opencl_handle_of(std::string_view who, nb::handle object) {
  const nb::object number = nb::steal(find_attribute(object.ptr(), "int_ptr"_name));
  if (!number && PyErr_Occurred()) throw nb::python_error();
  const unsigned long long handle =
      number && PyLong_Check(number.ptr()) ? PyLong_AsUnsignedLongLong(number.ptr()) : 0;
  clear_answer();
  check(handle != 0, Errc::exchange, "{}: {} has no OpenCL handle in int_ptr", who,
        found_as(object));
  return handle;
}

/// A handle says not what it is of, and drivers end the process when they are given another kind.
static std::uintptr_t handle_of(std::string_view who, nb::handle object, ForeignClass& type) {
  check(!type.is_there() || type.has(object), Errc::exchange, "{}: expected a pyopencl.{}, not {}",
        who, type.name(), found_as(object));
  return opencl_handle_of(who, object);
}

Ref<BackendQueue> opencl_queue_of(std::string_view who, nb::handle queue) {
  if (Ref<BackendQueue> ours = as_queue(queue)) {
    check(ours->context->device.backend() == "opencl", Errc::exchange,
          "{}: the queue is of {}, not of OpenCL", who, ours->context->device);
    return ours;
  }
  return opencl_backend().adopt_queue(handle_of(who, queue, queue_class));
}

Ref<BackendQueue> queue_of_either(nb::handle queue) {
  if (queue_class.has(queue))  // first: small operations ask nothing else
    return opencl_backend().adopt_queue(opencl_handle_of("Queue", queue));
  if (Ref<BackendQueue> ours = as_queue(queue)) return ours;
  check(is_pyopencl(queue), Errc::type, "expected a queue, not {}", found_as(queue));
  return opencl_queue_of("Queue", queue);
}

Ref<BackendContext> opencl_context_of(std::string_view who, nb::handle context) {
  return opencl_backend().adopt_context(handle_of(who, context, context_class));
}

Ref<Event> opencl_event_of(std::string_view who, nb::handle event) {
  return opencl_backend().adopt_event(handle_of(who, event, event_class));
}

nb::object pyopencl_queue_of(BackendQueue& queue) {
  require_opencl(queue.context->device);
  Backend& b = opencl_backend();
  return take_handle(queue_class, b.export_queue(queue), &Backend::drop_queue);
}

nb::object pyopencl_context_of(BackendContext& of) {
  Backend& b = opencl_backend();
  const Ref<BackendContext> below =
      of.device.backend() == "sycl" ? b.context_in(of.space) : nullptr;
  BackendContext& context = below ? *below : of;
  require_opencl(context.device);
  return take_handle(context_class, b.export_context(context), &Backend::drop_context);
}

nb::object pyopencl_event_of(Event& event, const BackendQueue& queue) {
  const std::uintptr_t handle = event.native_in(queue.context->space);
  return handle ? event_class.get().attr("from_int_ptr")(handle) : nb::object();
}

}  // namespace isthmus::python
