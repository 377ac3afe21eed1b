// bind_queue.cpp: the classes Queue and Context, and the current queue of a thread.
#include <nanobind/stl/string.h>

#include <utility>
#include <vector>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/context.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/opencl_objects.h"
#include "python/src/peers/sycl_objects.h"
#include "python/src/protocol.h"

namespace isthmus::python {

using detail::format;

namespace {

struct QueueObject {
  explicit QueueObject(Ref<BackendQueue> queue) : queue(std::move(queue)) {}
  QueueObject(const QueueObject& other) : queue(other.queue) {}
  ~QueueObject() {
    if (handle) backend(queue->context->device).drop_queue(handle);
  }
  const Ref<BackendQueue> queue;
  std::uintptr_t handle = 0;  ///< Exported when it was first asked for.
};

struct ContextObject {
  Ref<BackendContext> context;
};

Ref<BackendQueue> queue_of_device(const Device& device) {
  const Unblocked unblocked;
  return backend(device).default_queue(device.index());
}

/// See the docstring of Queue.
Ref<BackendQueue> queue_from(nb::handle object, nb::handle on) {
  if (!on.is_none()) {
    const Device device = device_of(on);
    check(PyLong_Check(object.ptr()), Errc::type,
          "Queue: pass device only with an address; {} has its own", found_as(object));
    const unsigned long long address = PyLong_AsUnsignedLongLong(object.ptr());
    const bool fits = !PyErr_Occurred();
    PyErr_Clear();
    check(fits, Errc::exchange, "Queue: the address is not between 0 and 2^64-1");
    Ref<BackendQueue> queue = queue_at(device, address);
    check(queue->context->device == device, Errc::exchange,
          "Queue: the queue at {} is of {}, not of {}", address, queue->context->device, device);
    return queue;
  }
  if (Ref<BackendQueue> queue = as_queue(object)) return queue;
  check(!as_context(object), Errc::exchange,
        "Queue: {} is a context; pass a queue, or a device for its own queue", found_as(object));
  if (PyUnicode_Check(object.ptr()) || nb::isinstance<Device>(object))
    return queue_of_device(device_of(object));
  if (is_pyopencl(object)) return opencl_queue_of("Queue", object);
  return sycl_queue_of("Queue", object);
}

/// See the docstring of Context.
Ref<BackendContext> context_from(nb::handle object) {
  if (Ref<BackendContext> context = as_context(object)) return context;
  if (const Ref<BackendQueue> queue = as_queue(object)) return queue->context;
  if (PyUnicode_Check(object.ptr()) || nb::isinstance<Device>(object)) {
    const Device device = device_of(object);
    const Unblocked unblocked;
    return backend(device).default_context(device.index());
  }
  if (is_pyopencl_queue(object)) return opencl_queue_of("Context", object)->context;
  if (is_pyopencl(object)) return opencl_context_of("Context", object);
  return sycl_object_of("Context", object).context;
}

std::uintptr_t handle_of(QueueObject& object) {
  if (!object.handle)
    object.handle = backend(object.queue->context->device).export_queue(*object.queue);
  return object.handle;
}

void synchronize_queue(const QueueObject& object) {
  synchronize(*object.queue);
  catch_up();
}

bool is_same(const Ref<BackendQueue>& a, const Ref<BackendQueue>& b) {
  return a == b ||
         (a->context->device == b->context->device && a->native && a->native == b->native);
}

void bind_context_class(nb::module_& m) {
  nb::class_<ContextObject> c(
      m, "Context",
      "A context in which addresses are valid: of SYCL or OpenCL, or the process itself for\n"
      "the host.\n\n"
      "Context(device) is the device's default context. Context(object) accepts a\n"
      "dpctl.SyclContext, a capsule \"SyclContextRef\", an object whose _get_capsule() returns\n"
      "one, a pyopencl.Context, a queue of any kind for its context, or another Context.\n\n"
      "Waits: no.\n"
      "Raises: ExchangeError if it is not a context of a device that Isthmus has.");
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](ContextObject* self, nb::handle object) {
        new (self) ContextObject{context_from(object)};
      },
      nb::arg("obj").none(), nb::sig("def __init__(self, obj: object) -> None"));
  c.def_prop_ro(
      "device", [](const ContextObject& c) { return c.context->device; },
      nb::sig("def device(self) -> Device"), "The device that Isthmus uses this context for.");
  c.def(
      "_get_capsule", [](const ContextObject& c) { return sycl_capsule_of(*c.context); },
      nb::sig("def _get_capsule(self) -> typing.Any"),
      "A new capsule \"SyclContextRef\", as dpctl.SyclContext returns.\n\n"
      "Raises: ExchangeError if the context is not SYCL's.\n"
      "Source: __sycl_usm_array_interface__, syclobj.");
  c.def(
      "to_pyopencl", [](const ContextObject& c) { return pyopencl_context_of(*c.context); },
      nb::sig("def to_pyopencl(self) -> typing.Any"),
      "This context as a pyopencl.Context; for a SYCL context, the OpenCL context below it.\n\n"
      "Raises: ExchangeError if there is no OpenCL context; ImportError without pyopencl.");
  c.def(
      "__eq__",
      [](const ContextObject& c, nb::handle other) -> nb::object {
        const Ref<BackendContext> o = as_context(other);
        if (!o) return nb::borrow(Py_NotImplemented);
        return nb::bool_(o->space == c.context->space);
      },
      nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"),
      "Whether they share memory: a SYCL context equals the OpenCL context below it.");
  c.def(
      "__hash__",
      [](const ContextObject& c) { return std::hash<std::uintptr_t>()(c.context->space); },
      nb::sig("def __hash__(self) -> int"));
  c.def(
      "__repr__", [](const ContextObject& c) { return format("<{}>", c.context->name); },
      nb::sig("def __repr__(self) -> str"));
}

void bind_queue_class(nb::module_& m) {
  nb::class_<QueueObject> c(
      m, "Queue",
      "A queue for work on one device: the device's own queue, or a user's.\n\n"
      "Queue(device) is the device's own queue. Queue(object) accepts a dpctl.SyclQueue, a\n"
      "capsule \"SyclQueueRef\", an object whose _get_capsule() returns one, a\n"
      "pyopencl.CommandQueue, or another Queue; Queue(address, device) accepts the address of\n"
      "a sycl::queue or cl_command_queue. `with queue:` makes it the current queue on its\n"
      "device, in this thread or task: operations run on it, in order with the other work\n"
      "there, and new arrays belong to its context.\n\n"
      "Waits: no.\n"
      "Raises: ExchangeError if it is not a queue of a device that Isthmus has.");
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](QueueObject* self, nb::handle object, nb::handle device) {
        new (self) QueueObject(queue_from(object, device));
      },
      nb::arg("obj").none(), nb::arg("device") = nb::none(),
      nb::sig("def __init__(self, obj: object, device: Device | str | None = None) -> None"));
  c.def_prop_ro(
      "device", [](const QueueObject& q) { return q.queue->context->device; },
      nb::sig("def device(self) -> Device"), "The device on which its work runs.");
  c.def_prop_ro(
      "context", [](const QueueObject& q) { return context_object(q.queue->context); },
      nb::sig("def context(self) -> Context"), "The context whose memory its work can access.");
  c.def_prop_ro(
      "is_in_order", [](const QueueObject& q) { return q.queue->is_in_order; },
      nb::sig("def is_in_order(self) -> bool"),
      "Whether each command on it starts only after the one before has finished.");
  c.def_prop_ro(
      "handle", &handle_of, nb::sig("def handle(self) -> int"),
      "Address of a sycl::queue, or a cl_command_queue, valid while this object lives.\n\n"
      "Raises: ExchangeError if the queue has no such handle.");
  c.def(
      "_get_capsule", [](const QueueObject& q) { return sycl_capsule_of(*q.queue); },
      nb::sig("def _get_capsule(self) -> typing.Any"),
      "A new capsule \"SyclQueueRef\", as dpctl.SyclQueue returns.\n\n"
      "Raises: ExchangeError if the queue is not SYCL's.\n"
      "Source: __sycl_usm_array_interface__, syclobj.");
  c.def(
      "to_pyopencl", [](const QueueObject& q) { return pyopencl_queue_of(*q.queue); },
      nb::sig("def to_pyopencl(self) -> typing.Any"),
      "This queue as a pyopencl.CommandQueue.\n\n"
      "Raises: ExchangeError if the queue is not OpenCL's; ImportError without pyopencl.");
  c.def("synchronize", &synchronize_queue, nb::sig("def synchronize(self) -> None"),
        "Waits until all work that is on the queue now has finished.\n\n"
        "Raises: LaunchError if work of other libraries on it failed.");
  c.def(
      "__enter__",
      [](nb::handle self) {
        instance_of<QueueObject>(self);
        queue_blocks.enter(self);
        return nb::borrow(self);
      },
      nb::sig("def __enter__(self) -> Queue"));
  c.def(
      "__exit__",
      [](nb::handle self, nb::args) {
        instance_of<QueueObject>(self);
        queue_blocks.leave(self);
      },
      nb::sig("def __exit__(self, *args: object) -> None"));
  c.def(
      "__eq__",
      [](const QueueObject& q, nb::handle other) -> nb::object {
        const Ref<BackendQueue> o = as_queue(other);
        if (!o) return nb::borrow(Py_NotImplemented);
        return nb::bool_(is_same(q.queue, o));
      },
      nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"));
  c.def(
      "__hash__",
      [](const QueueObject& q) { return std::hash<Device>()(q.queue->context->device); },
      nb::sig("def __hash__(self) -> int"));
  c.def(
      "__repr__",
      [](const QueueObject& q) {
        return format("<{} queue of {}>", q.queue->is_in_order ? "in-order" : "out-of-order",
                      q.queue->context->name);
      },
      nb::sig("def __repr__(self) -> str"));
}

}  // namespace

Ref<BackendQueue> as_queue(nb::handle object) {
  return nb::isinstance<QueueObject>(object) ? instance_of<QueueObject>(object).queue : nullptr;
}
Ref<BackendContext> as_context(nb::handle object) {
  return nb::isinstance<ContextObject>(object) ? instance_of<ContextObject>(object).context
                                               : nullptr;
}
Backend& kept_backend(Backend*& kept, const char* name) {
  if (kept) return *kept;
  Backend& opened = [&]() -> Backend& {
    const Unblocked unblocked;
    return backend(name);
  }();
  return *(kept = &opened);
}
Ref<BackendQueue> queue_at(const Device& device, std::uintptr_t address) {
  Backend& b = backend(device);
  b.check_queue(address);
  return b.adopt_queue(address);
}
nb::object queue_object(Ref<BackendQueue> queue) { return nb::cast(QueueObject(std::move(queue))); }
nb::object context_object(Ref<BackendContext> context) {
  return nb::cast(ContextObject{std::move(context)});
}

void bind_queue(nb::module_& m) {
  bind_context_class(m);
  bind_queue_class(m);
  m.def(
      "current_queue",
      [](nb::handle d) {
        const Device device = device_of(d);
        return queue_object([&] {
          const Unblocked unblocked;
          return current_backend_queue(device);
        }());
      },
      nb::arg("device") = nb::none(),
      nb::sig("def current_queue(device: Device | str | None = None) -> Queue"),
      "The queue for this thread's work on a device: the device's own queue, or that of the\n"
      "innermost `with queue:`.");
}

}  // namespace isthmus::python
