// pyopencl_array.cpp: arrays, buffers and SVM of pyopencl, and ours as pyopencl.array.Array.
#include <nanobind/stl/string.h>

#include "isthmus/array/index/seen.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"
#include "python/src/object/arguments.h"
#include "python/src/object/collections.h"
#include "python/src/object/name.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/event_list.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/opencl_objects.h"
#include "python/src/protocol.h"

namespace isthmus::python {

using detail::format;

namespace {

constexpr const char* who = "from_pyopencl";
constexpr const char* lent_name = "isthmus.lent";

/// What a handed-out buffer or SVM object keeps alive, in its attribute `_isthmus`.
struct Lent {
  Array array;
  Borrower borrower;
  Ref<SharedEvents> events;

  BackendMemory& memory() const { return *array.storage()->memory(); }
};

// ---- as consumer

constinit ForeignClass array_class("pyopencl.array", "Array");
constinit ForeignClass buffer_class("pyopencl", "Buffer");
constinit ForeignClass svm_class("pyopencl", "SVM");
constinit ForeignClass context_class("pyopencl", "Context");
constinit ForeignClass event_class("pyopencl", "Event");
constinit ForeignClass any_buffer_class("pyopencl", "MemoryObjectHolder");
constinit ForeignClass any_svm_class("pyopencl", "SVMPointer");

bool is_pyopencl_array(nb::handle x) { return array_class.has(x); }
bool is_buffer(nb::handle x) { return any_buffer_class.has(x); }
bool is_svm(nb::handle x) { return any_svm_class.has(x); }

bool speaks(nb::handle object) {
  return is_buffer(object) || is_svm(object) || is_pyopencl_array(object);
}

/// None if there is none.
nb::object attribute_of(nb::handle object, PyObject* name) {
  nb::object found = nb::steal(find_attribute(object.ptr(), name));
  if (!found && PyErr_Occurred()) throw nb::python_error();
  return found ? found : nb::none();
}

/// Where the object's owner puts work on it, and where its address means something.
void find_place(nb::handle object, nb::handle queue, Foreign& foreign) {
  const nb::object own = attribute_of(object, is_svm(object) ? "_queue"_name : "queue"_name);
  const nb::object chosen = queue.is_none() ? own : nb::borrow(queue);
  if (!chosen.is_none()) {
    foreign.queue = opencl_queue_of(who, chosen);
    foreign.context = foreign.queue->context;
    return;
  }
  const nb::object context = attribute_of(object, "context"_name);
  check(!context.is_none(), Errc::exchange,
        "{}: {} without a queue has no known context; pass queue=", who, found_as(object));
  foreign.context = opencl_context_of(who, context);
}

/// The layout of an Array counts from base_data.
void describe_array(nb::handle x, Foreign& foreign) {
  foreign.dtype = dtype_of(attribute_of(x, "dtype"_name));
  foreign.layout.shape = dims_of(who, attribute_of(x, "shape"_name));
  Layout& layout = foreign.layout;
  layout.strides = dims_of(who, attribute_of(x, "strides"_name));
  check(layout.strides.size() == layout.shape.size(), Errc::exchange, "{}: strides: {} for {} axes",
        who, layout.strides.size(), layout.shape.size());
  make_strides_elements(who, layout, foreign.dtype);
  const auto byte_offset = nb::cast<std::int64_t>(attribute_of(x, "offset"_name));
  check(byte_offset >= 0, Errc::exchange, "{}: offset: {} is negative", who, byte_offset);
  foreign.layout.offset = elements_in(who, "offset", byte_offset, foreign.dtype);
  const nb::object events = attribute_of(x, "events"_name);
  check(PyList_Check(events.ptr()), Errc::exchange, "{}: events: expected a list, not {}", who,
        found_as(events));
  foreign.events = event_list_of(nb::borrow<nb::list>(events), foreign.context->space, false);
}

/// Memory of ours that has come back; null if it is none.
const Lent* lent_by(nb::handle base) {
  const nb::object capsule = attribute_of(base, "_isthmus"_name);
  if (!PyCapsule_IsValid(capsule.ptr(), lent_name)) return nullptr;
  return static_cast<const Lent*>(PyCapsule_GetPointer(capsule.ptr(), lent_name));
}

Array import_base(nb::handle base, Foreign& foreign) {
  constexpr int read_only = 1 << 2;  // CL_MEM_READ_ONLY
  if (const Lent* lent = lent_by(base)) {
    const Ref<BackendMemory>& memory = lent->array.storage()->memory();
    if (!is_buffer(base)) {
      // of a view in another dtype, the bytes before it need not be a whole number of elements
      const auto start = nb::cast<std::uintptr_t>(attribute_of(base, "svm_ptr"_name));
      const auto before = static_cast<std::int64_t>(start - memory->handle);
      foreign.layout.offset += elements_in(who, "data", before, foreign.dtype);
    }
    check_foreign(who, reinterpret_cast<void*>(memory->handle), foreign.dtype, foreign.layout);
    const Extent extent = extent_of(foreign.layout);
    const auto last = static_cast<std::size_t>(extent.end * foreign.dtype.bytes());
    check(extent.begin >= 0 && last <= memory->bytes, Errc::exchange,
          "{}: data: elements {} to {} of memory of {} bytes", who, extent.begin, extent.end,
          memory->bytes);
    return from_view({memory, foreign.dtype, foreign.layout});
  }
  foreign.is_buffer = is_buffer(base);
  foreign.is_svm = !foreign.is_buffer;
  std::uintptr_t address = 0;
  if (foreign.is_buffer) {
    address = opencl_handle_of(who, base);
    foreign.is_read_only = nb::cast<int>(attribute_of(base, "flags"_name)) & read_only;
  } else {
    const nb::object pointer = attribute_of(base, "svm_ptr"_name);
    check(PyLong_Check(pointer.ptr()), Errc::exchange,
          "{}: base_data: expected a buffer or SVM of pyopencl, not {}", who, found_as(base));
    address = nb::cast<std::uintptr_t>(pointer);
    address += static_cast<std::uintptr_t>(foreign.layout.offset * foreign.dtype.bytes());
    foreign.layout.offset = 0;
  }
  foreign.address = reinterpret_cast<void*>(address);
  foreign.owner = base.ptr();
  foreign.release = release_object;
  Array array = adopt(foreign);
  base.inc_ref();
  return array;
}

Array import_object(nb::handle object, nb::handle queue, bool is_private = false) {
  Foreign foreign;
  foreign.who = who;
  foreign.is_private = is_private;
  find_place(object, queue, foreign);
  if (is_private) foreign.queue = nullptr;  // its owner puts no work on it
  if (is_pyopencl_array(object)) {
    describe_array(object, foreign);
    const nb::object base = attribute_of(object, "base_data"_name);
    if (!base.is_none()) return import_base(base, foreign);
    return adopt(foreign);  // it has no elements, or adopt says what is missing
  }
  const nb::object size = attribute_of(object, "size"_name);
  check(!size.is_none(), Errc::exchange, "{}: the size of the SVM is unknown", who);
  const auto bytes = nb::cast<std::int64_t>(size);
  foreign.dtype = TypeId::uint8;
  foreign.layout = row_major({&bytes, 1});
  return import_base(object, foreign);
}

Array import_array(nb::handle object, const ImportRequest&) {
  return import_object(object, nb::none());
}

// ---- as producer

void end_lent(PyObject* capsule) {
  if (is_finalizing()) return;  // drivers may be gone
  const std::unique_ptr<Lent> lent(static_cast<Lent*>(PyCapsule_GetPointer(capsule, lent_name)));
  {
    const std::lock_guard lock(graph_lock());
    auto& known = lent->memory().activity().borrowers_events;
    known.erase(std::ranges::find(known, lent->events));
  }
  end_export(lent->memory(), lent->borrower);
}

/// The first device of OpenCL that reaches the array where it lies.
std::optional<Device> opencl_device_of(const Array& array) {
  if (array.device().backend() == "opencl") return array.device();
  Backend& b = backend("opencl");
  for (int i = 0; i < b.device_count(); ++i)
    if (const Device device("opencl", i); can_share_on(array, device)) return device;
  return {};
}

/// The array on a device of OpenCL, the same memory.
Array on_opencl(const Array& array, const Device& device) {
  const auto shared = share_on(array, device);
  check(shared.has_value(), Errc::exchange,
        "to_pyopencl: {} cannot access memory of {}; use to_device", device, array.device());
  return *shared;
}

/// One hand-out: the array on OpenCL, who will work on it, and pyopencl's own object for that.
struct Receiver {
  // Not an aggregate: g++ 12 drops {queue} twice where what initialises a later member throws.
  Receiver(Array array, Ref<BackendContext> context, Ref<BackendQueue> queue, nb::object object)
      : array(std::move(array)), context(std::move(context)), object(std::move(object)) {
    borrower.queue = std::move(queue);
  }
  Array array;
  Ref<BackendContext> context;
  Borrower borrower;
  nb::object object;
};

Receiver receiver_of(const Array& given, nb::handle queue) {
  constexpr const char* whom = "to_pyopencl";
  if (context_class.has(queue)) {
    const Ref<BackendContext> context = opencl_context_of(whom, queue);
    return {on_opencl(given, context->device), context, nullptr, nb::borrow(queue)};
  }
  if (!queue.is_none()) {
    const Ref<BackendQueue> theirs = opencl_queue_of(whom, queue);
    const nb::object object = as_queue(queue) ? pyopencl_queue_of(*theirs) : nb::borrow(queue);
    return {on_opencl(given, theirs->context->device), theirs->context, theirs, object};
  }
  const auto device = opencl_device_of(given);
  check(device.has_value(), Errc::exchange,
        "to_pyopencl: no OpenCL device can access memory of {} without a copy; use to_device",
        given.device());
  const Array array = on_opencl(given, *device);
  BackendMemory* const memory = array.storage()->memory().get();
  const Ref<BackendQueue> ours = queue_reaching(current_backend_queue(*device), {&memory, 1});
  return {array, ours->context, ours, pyopencl_queue_of(*ours)};
}

/// What base_data will be, and where in it the first element is.
struct Base {
  nb::object object;
  std::int64_t byte_offset = 0;
  nb::object events = nb::none();
};

/// A pyopencl.Buffer, or a pyopencl.SVM over just the array's bytes: Array.get() compares sizes.
Base base_of(const Array& array) {
  const BackendMemory& memory = *array.storage()->memory();
  const Layout& layout = array.layout();
  const std::int64_t item = array.dtype().bytes();
  if (memory.kind == MemoryKind::buffer) {
    nb::object buffer = buffer_class.get().attr("from_int_ptr")(memory.handle);
    if (memory.host) nb::module_::import_("isthmus._sub_buffers").attr("with_slices")(buffer);
    return {std::move(buffer), layout.offset * item};
  }
  check(memory.host, Errc::exchange,
        "to_pyopencl: pyopencl cannot represent {} memory that the host cannot access; allocate "
        "shared or buffer memory",
        to_string(memory.kind));
  const Extent extent = extent_of(layout);
  char* const start = static_cast<char*>(memory.host) + extent.begin * item;
  const nb::object bytes =
      nb::steal(PyMemoryView_FromMemory(start, (extent.end - extent.begin) * item, PyBUF_WRITE));
  if (!bytes) throw nb::python_error();
  return {svm_class.get()(bytes), (layout.offset - extent.begin) * item};
}

/// Of work on the memory that has not ended: what a queue which is not the array's must wait for.
nb::list events_of(const Array& array, const BackendContext& context) {
  Events pending;
  {
    const std::lock_guard lock(graph_lock());
    add_waits_for_writing(*array.storage()->memory(), pending);
  }
  nb::list events = new_list();
  for (const Ref<Event>& event : pending)
    if (const std::uintptr_t handle = event->native_in(context.space))
      events.append(event_class.get().attr("from_int_ptr")(handle, nb::arg("retain") = true));
  return events;
}

/// `base` is the array's. From now on its events have our work, and we learn of pyopencl's.
void lend(const Array& array, const Receiver& to, Base& base) {
  auto lent = std::make_unique<Lent>(Lent{array, to.borrower, nullptr});
  begin_export(array, to.borrower);
  nb::object capsule;
  try {
    const nb::list events = events_of(array, *to.context);
    base.events = events;
    lent->events = event_list_of(events, to.context->space, true);
    capsule = nb::steal(PyCapsule_New(lent.get(), lent_name, nullptr));
    if (!capsule) throw nb::python_error();
    const std::lock_guard lock(graph_lock());
    lent->memory().activity().borrowers_events.push_back(lent->events);
  } catch (...) {
    end_export(lent->memory(), to.borrower);
    throw;
  }
  lent.release();  // the capsule has it
  PyCapsule_SetDestructor(capsule.ptr(), end_lent);
  nb::setattr(base.object, nb::handle("_isthmus"_name), capsule);
}

/// What pyopencl's array says: the array on OpenCL, its memory lent to who works on it.
struct HandOut {
  Receiver receiver;
  Array array;
  Base base;
};

HandOut hand_out_base(const Array& given, nb::handle queue) {
  check(!given.is_read_only(), Errc::exchange,
        "to_pyopencl: the array is read-only, which pyopencl cannot represent; copy it");
  given.eval();
  Receiver receiver = receiver_of(given, queue);
  Array array = seen_as(receiver.array, with_plain_strides(receiver.array.layout()));
  const BackendContext* own = array.storage()->memory()->context.get();
  check(!own || own->space == receiver.context->space, Errc::exchange,
        "to_pyopencl: the memory is of {}, the queue of {}; copy it through the host", own->name,
        receiver.context->name);
  Base base = array.size() ? base_of(array) : Base{nb::none()};
  if (array.size()) lend(array, receiver, base);
  return {std::move(receiver), std::move(array), std::move(base)};
}

PyObject* hand_out(const Array& given, nb::handle queue) {
  const nb::handle type = array_class.get();
  const auto [receiver, array, base] = hand_out_base(given, queue);
  const Dims byte_strides = byte_strides_of(array);
  // pyopencl keeps truth values in int8
  const DType dtype = array.dtype() == DType(TypeId::bool_) ? DType(TypeId::int8) : array.dtype();
  return type(receiver.object, tuple_of({array.shape().begin(), array.shape().end()}),
              nb::handle(dtype_object(dtype)), nb::arg("data") = base.object,
              nb::arg("offset") = base.byte_offset,
              nb::arg("strides") = tuple_of({byte_strides.begin(), byte_strides.end()}),
              nb::arg("events") = base.events)
      .release()
      .ptr();
}

PyObject* to_pyopencl(PyObject* self, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  static const Keywords<1> keywords({"queue"});
  return guarded([&] {
    catch_up();
    const auto [queue] = keywords.values("to_pyopencl", args, given, 0, names);
    return hand_out(array_of(self), or_none(queue));
  });
}

const PyMethodDef methods[] = {
    {"to_pyopencl", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(to_pyopencl)),
     METH_FASTCALL | METH_KEYWORDS,
     "to_pyopencl($self, /, *, queue=None)\n"
     "--\n\n"
     "The array as a pyopencl.array.Array over the same memory, with offset and strides.\n\n"
     "queue: a pyopencl.CommandQueue, which waits for earlier work of Isthmus and is\n"
     "synchronized with later work; None: the current queue of Isthmus; a pyopencl.Context: an\n"
     "array without a queue.\n"
     "Returns: a view: buffers as pyopencl.Buffer, USM and SVM that the host can access as\n"
     "pyopencl.SVM, bool as int8, arrays of SYCL in the OpenCL context below. Its events are\n"
     "those of unfinished work of Isthmus on the memory, including later work. No copy. The\n"
     "memory is shared as long as base_data is alive; a sub-region or handle taken from it\n"
     "does not count.\n"
     "Waits: for all work on its memory if there is no queue, else for its launch only.\n"
     "Raises: ExchangeError for read-only arrays, for memory that no OpenCL device can access,\n"
     "and, naming both, if memory and queue belong to different contexts; ImportError without\n"
     "pyopencl."},
    {nullptr, nullptr, 0, nullptr}};

void finish(PyTypeObject*, nb::module_& module) {
  module.def(
      "from_pyopencl",
      [](nb::handle object, nb::handle queue) {
        check(speaks(object), Errc::type,
              "{}: {} is not a pyopencl.array.Array, pyopencl.Buffer or SVM of pyopencl", who,
              found_as(object));
        return nb::steal(wrap(import_object(object, queue)));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("queue") = nb::none(),
      nb::sig("def from_pyopencl(x: typing.Any, /, *, queue: typing.Any = None) -> Array"),
      "Imports the memory of a pyopencl.array.Array, pyopencl.Buffer, SVMAllocation or SVM;\n"
      "the latter three as bytes.\n\n"
      "queue: the queue for the owner's work on it, if that is not the object's own queue.\n"
      "Work of Isthmus is synchronized with the work there, and waits for the array's events.\n"
      "Returns: a view, on the device of the queue or context, read-only for a READ_ONLY buffer.\n"
      "Waits: no.\n"
      "Raises: TypeError for other objects; ExchangeError (BufferError), naming the field.");
  module.def(
      "_adopt_pyopencl",
      [](nb::handle memory, nb::handle queue) {
        check(speaks(memory) && !is_pyopencl_array(memory), Errc::type,
              "{}: {} is not a pyopencl.Buffer or SVM of pyopencl", who, found_as(memory));
        return nb::steal(wrap(import_object(memory, queue, true)));
      },
      nb::arg("memory"), nb::arg("queue"),
      nb::sig("def _adopt_pyopencl(memory: typing.Any, queue: typing.Any, /) -> Array"),
      "As from_pyopencl, for memory that nothing else accesses while the array is alive.");
  module.def(
      "_lend_to_pyopencl",
      [](nb::handle array, nb::handle queue) {
        catch_up();
        const Array& lent = require_array("_lend_to_pyopencl", array.ptr());
        const HandOut out = hand_out_base(lent, queue);
        return nb::make_tuple(out.base.object, out.base.byte_offset, out.base.events);
      },
      nb::arg("array"), nb::arg("queue"),
      nb::sig("def _lend_to_pyopencl(array: Array, queue: typing.Any, /) -> tuple[typing.Any, int, "
              "typing.Any]"),
      "base_data, offset in bytes and events of the result of to_pyopencl, without "
      "pyopencl.array.");
  module.def(
      "_writing_event",
      [](nb::handle object, nb::handle queue) {
        const Array& array = require_array("_writing_event", object.ptr());
        array.eval();
        const Ref<BackendQueue> place = opencl_queue_of(who, queue);
        const Ref<Event> event = [&] {
          const std::lock_guard lock(graph_lock());
          return last_write(*array.storage()->memory());
        }();
        const nb::object found = event ? pyopencl_event_of(*event, *place) : nb::object();
        return found ? found : nb::none();
      },
      nb::arg("array"), nb::arg("queue"),
      nb::sig("def _writing_event(array: Array, queue: typing.Any, /) -> typing.Any"),
      "Evaluates an array and returns the pyopencl.Event of the kernel that wrote it, in the\n"
      "queue's context; None if the host or another library wrote it.");
}

Explanation explain_export(const Array& array) {
  const auto device = [&]() -> std::optional<Device> {
    try {
      return opencl_device_of(array);
    } catch (const Error&) {
      return {};  // there is no OpenCL
    }
  }();
  if (!device)
    return {Explanation::Verdict::impossible,
            format("no OpenCL device can access memory of {} without a copy", array.device())};
  if (array.is_read_only())
    return {Explanation::Verdict::impossible, "read-only, which pyopencl cannot represent"};
  return {Explanation::Verdict::zero_copy, format("to_pyopencl(), on {}", *device)};
}

}  // namespace

extern const Protocol pyopencl_array;
const Protocol pyopencl_array = {"pyopencl_array", 15,      speaks, import_array,  methods,
                                 nullptr,          nullptr, finish, explain_export};

}  // namespace isthmus::python
