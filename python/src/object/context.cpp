// context.cpp: fusing(), implicit_host_copy(), `with device:`, and what `with queue:` means.
#include "python/src/object/context.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/put_off.h"
#include "isthmus/runtime/submit/queues.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/gil.h"
#include "python/src/object/queue_object.h"

namespace isthmus::python {

Blocks queue_blocks("isthmus.queue");

namespace {

Blocks fusing_blocks("isthmus.fusing");
Blocks device_blocks("isthmus.device");
Blocks copy_blocks("isthmus.implicit_host_copy");

struct FusingObject {};

struct HostCopies {
  std::string policy;
};

/// Asked only when an operation reads shared memory.
bool is_fusing() {
  // a thread of C++ has made no promise in Python
  return fusing_blocks.any() && has_gil() && fusing_blocks.innermost();
}

/// The device of the innermost `with device:`.
std::optional<Device> device_of_blocks() {
  if (!device_blocks.any() || !has_gil()) return {};
  PyObject* const owner = device_blocks.innermost();
  if (!owner) return {};
  return instance_of<Device>(owner);
}

/// What this thread's blocks said when it last let go of the GIL: asked where it has none.
thread_local std::vector<Ref<BackendQueue>> queues_outside_gil;

Ref<BackendQueue> queue_of_blocks(const Device& device) {
  if (!queue_blocks.any()) return nullptr;
  if (!has_gil()) {
    for (const Ref<BackendQueue>& queue : queues_outside_gil)
      if (queue->context->device == device) return queue;
    return nullptr;
  }
  PyObject* const owner = queue_blocks.find(
      [&](PyObject* object) { return as_queue(object)->context->device == device; });
  return owner ? as_queue(owner) : nullptr;
}

void bind_fusing(nb::module_& m) {
  nb::class_<FusingObject> c(
      m, "fusing",
      "A promise that no one changes shared memory in the meantime, so that reads of it may be "
      "delayed.\n\n"
      "``with isthmus.fusing():``. Inside, operations on memory that others can access stay\n"
      "pending and fuse like all others. The promise holds in this thread or task, and in\n"
      "tasks that start inside; for all of them it ends with the block, which calculates the\n"
      "delayed operations.\n\n"
      "Returns: a context manager, which may be used more than once. Waits: at the end, for\n"
      "operations that read memory that others may write to.");
  c.attr("__module__") = "isthmus";
  c.def(nb::init<>(), nb::sig("def __init__(self) -> None"));
  c.def(
      "__enter__",
      [](nb::handle self) {
        instance_of<FusingObject>(self);
        fusing_blocks.enter(self);
      },
      nb::sig("def __enter__(self) -> None"));
  c.def(
      "__exit__",
      [](nb::handle self, nb::args) {
        instance_of<FusingObject>(self);
        fusing_blocks.leave(self);
        if (!Fusing::is_on()) end_fusing();
      },
      nb::sig("def __exit__(self, *args: object) -> None"));
}

void bind_host_copies(nb::module_& m) {
  nb::class_<HostCopies> c(
      m, "implicit_host_copy",
      "Sets whether numpy.asarray(x) copies from devices (\"allow\"), also warns (\"warn\") or\n"
      "raises (\"error\").\n\n"
      "``with isthmus.implicit_host_copy(\"allow\"):``. It applies to this thread or task, and\n"
      "to tasks that start inside; ``config.implicit_copy`` (ISTHMUS_IMPLICIT_COPY) applies to\n"
      "all, and is \"error\" by default. Memory that the host can access is never copied.\n"
      "``x.to_numpy()`` is always allowed.\n\n"
      "Waits: no. Raises: ValueError for another policy.");
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__",
      [](HostCopies* self, const std::string& policy) {
        const bool is_known = policy == "error" || policy == "warn" || policy == "allow";
        check(is_known, Errc::value, "implicit_host_copy: '{}' is none of error, warn, allow",
              policy);
        new (self) HostCopies{policy};
      },
      nb::arg("policy"),
      nb::sig(
          "def __init__(self, policy: typing.Literal[\"allow\", \"warn\", \"error\"]) -> None"));
  c.def(
      "__enter__",
      [](nb::handle self) {
        instance_of<HostCopies>(self);
        copy_blocks.enter(self);
      },
      nb::sig("def __enter__(self) -> None"));
  c.def(
      "__exit__",
      [](nb::handle self, nb::args) {
        instance_of<HostCopies>(self);
        copy_blocks.leave(self);
      },
      nb::sig("def __exit__(self, *args: object) -> None"));
  m.def(
      "_host_copy_policy",
      []() -> std::optional<std::string> {
        PyObject* const owner = copy_blocks.innermost();
        if (!owner) return {};
        return instance_of<HostCopies>(owner).policy;
      },
      nb::sig("def _host_copy_policy() -> str | None"));
}

void bind_with_device(nb::module_& m) {
  auto device = nb::borrow<nb::class_<Device>>(m.attr("Device"));
  device.def(
      "__enter__",
      [](nb::handle self) {
        instance_of<Device>(self);
        device_blocks.enter(self);
        return nb::borrow(self);
      },
      nb::sig("def __enter__(self) -> Device"),
      "Makes it the device of new arrays inside `with`, in this thread or task.");
  device.def(
      "__exit__",
      [](nb::handle self, nb::args) {
        instance_of<Device>(self);
        device_blocks.leave(self);
      },
      nb::sig("def __exit__(self, *args: object) -> None"));
}

}  // namespace

void note_queues_here() {
  queue_blocks.find([](PyObject* object) {
    queues_outside_gil.push_back(as_queue(object));
    return false;
  });
}

void forget_queues_here() noexcept {
  if (!queues_outside_gil.empty()) queues_outside_gil.clear();
}

void bind_context(nb::module_& m) {
  for (Blocks* blocks : {&fusing_blocks, &device_blocks, &copy_blocks, &queue_blocks})
    blocks->init();
  set_fusing_hook(is_fusing);
  set_queue_hook(queue_of_blocks);
  set_device_hook(device_of_blocks);
  bind_fusing(m);
  bind_host_copies(m);
  bind_with_device(m);
}

}  // namespace isthmus::python
