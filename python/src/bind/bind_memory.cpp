// bind_memory.cpp: what isthmus/memory.py stands on: memory as arrays of bytes.
#include <nanobind/stl/string.h>

#include <utility>

#include "isthmus/exchange/memory_bytes.h"
#include "isthmus/runtime/devices/registry.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/memory_object.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/sycl_objects.h"
#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

/// `array` is the Python object of an array of uint8 in one row.
struct MemoryObject {
  nb::object array;
};

/// Throws type where a class has not called our __init__, or gc has broken a cycle.
const nb::object& bytes_in(nb::handle self) {
  const nb::object& array = instance_of<MemoryObject>(self).array;
  check(array.is_valid(), Errc::type, "{}: was not initialised", Py_TYPE(self.ptr())->tp_name);
  return array;
}

BackendMemory& memory_below(const Array& array) { return *array.eval().storage()->memory(); }

// ---- the buffer protocol: the array's own, but never of device USM

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  try {
    const nb::handle array = bytes_in(self);
    check(memory_below(array_of(array.ptr())).kind != MemoryKind::device, Errc::exchange,
          "the host cannot access device memory; copy_to_host() copies it");
    return PyObject_GetBuffer(array.ptr(), view, flags);
  } catch (...) {
    set_python_error();
    return -1;
  }
}

// ---- cycles through the owner of the memory, which its array knows

int traverse(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<MemoryObject>(self)->array.ptr());
  return 0;
}

int clear(PyObject* self) noexcept {
  if (!nb::inst_ready(self)) return 0;
  const nb::object gone = std::move(nb::inst_ptr<MemoryObject>(self)->array);
  return 0;
}

PyType_Slot memory_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                              {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear)},
                              {0, nullptr}};

// ---- allocation, and memory seen otherwise

MemoryKind kind_of(const std::string& text) {
  for (MemoryKind kind :
       {MemoryKind::host, MemoryKind::device, MemoryKind::shared, MemoryKind::buffer})
    if (to_string(kind) == text) return kind;
  fail(Errc::value, "memory: '{}' is not a kind of memory: host, device, shared or buffer", text);
}

PyObject* new_bytes(std::int64_t bytes, std::int64_t alignment, nb::handle on,
                    const std::string& kind) {
  const Ref<BackendQueue> queue = as_queue(on);
  check(bool(queue), Errc::type, "memory: expected a queue, not {}", found_as(on));
  return wrap(allocate_bytes(bytes, alignment, queue,
                             kind.empty() ? std::nullopt : std::optional(kind_of(kind))));
}

PyObject* bytes_of(nb::handle object, bool is_whole) {
  return wrap(isthmus::bytes_of(require_array("memory", object.ptr()), is_whole));
}

/// An array over bytes; strides and offset in its own elements.
PyObject* over_bytes(nb::handle object, nb::handle shape, nb::handle dtype_name, nb::handle strides,
                     std::int64_t offset) {
  constexpr const char* who = "from_memory";
  const Array* bytes = bytes_of_memory(object);
  nb::object shown;  // of another library, or an array: the bytes that it spans
  if (!bytes) {
    const bool has_memory = !is_array(object.ptr()) && speaks_any(object);
    check(has_memory, Errc::type,
          "{}: {} is not a memory object; pass one of isthmus.memory or dpctl.memory, a pyopencl "
          "buffer, an object that asarray can share, or x.memory of an array",
          who, found_as(object));
    const nb::object array =
        nb::module_::import_("isthmus").attr("asarray")(object, nb::arg("copy") = false);
    shown = nb::steal(bytes_of(array, false));
    bytes = &array_of(shown.ptr());
  }
  const Dims lengths = dims_of(who, shape);
  return wrap(isthmus::over_bytes(
      *bytes, lengths, dtype_of(dtype_name),
      strides.is_none() ? std::nullopt : std::optional(dims_of(who, strides)), offset));
}

/// The same bytes as memory that keeps `owner`, until nobody holds it and all work on it has ended.
PyObject* held_bytes(nb::handle object, nb::handle owner) {
  const Array held =
      owned_by(require_array("memory", object.ptr()), release_hidden_object, owner.ptr());
  owner.inc_ref();
  return wrap(held);
}

/// The Python object whose memory it is, else None.
nb::object owner_of(nb::handle object) {
  PyObject* owner = held_by(memory_below(require_array("memory", object.ptr())));
  return nb::borrow(owner ? owner : Py_None);
}

/// What the driver says, in the memory's own context where none is given: memory of the host that a
/// device works on and OpenCL's coarse-grained SVM have a kind, but are no USM.
std::string usm_type(nb::handle object, nb::handle syclobj) {
  const BackendMemory& memory = memory_below(require_array("memory", object.ptr()));
  const Ref<BackendContext> context =
      syclobj.is_none() ? memory.context : sycl_object_of("get_usm_type", syclobj).context;
  const std::string_view name = context ? context->device.backend() : "";
  const bool may_be = memory.kind != MemoryKind::buffer && (name == "sycl" || name == "opencl");
  const MemoryKind kind =
      may_be ? backend(context->device).query(*context, memory.handle).kind : MemoryKind::unknown;
  return std::string(to_string(kind));
}

void bind_class(nb::module_& m) {
  nb::class_<MemoryObject> c(m, "_Memory", nb::type_slots(memory_slots),
                             "Base class of the classes of isthmus.memory.");
  c.def(
      "__init__",
      [](MemoryObject* self, nb::handle array) {
        require_array("memory", array.ptr());
        new (self) MemoryObject{nb::borrow(array)};
      },
      nb::arg("array"), nb::sig("def __init__(self, array: Array) -> None"));
  c.def_prop_ro(
      "_array", [](nb::handle self) { return bytes_in(self); },
      nb::sig("def _array(self) -> Array"), "The bytes as an array of uint8. Returns: a view.");
}

}  // namespace

const Array* bytes_of_memory(nb::handle object) {
  if (!nb::isinstance<MemoryObject>(object)) return nullptr;
  return &array_of(bytes_in(object).ptr());
}

void bind_memory(nb::module_& m) {
  bind_class(m);
  const auto owned = [](PyObject* object) { return nb::steal(object); };
  m.def(
      "_allocate_bytes",
      [owned](std::int64_t bytes, std::int64_t alignment, nb::handle queue,
              const std::string& kind) { return owned(new_bytes(bytes, alignment, queue, kind)); },
      nb::sig("def _allocate_bytes(bytes: int, alignment: int, queue: Queue, kind: str, /) -> "
              "Array"));
  m.def(
      "_bytes_of",
      [owned](nb::handle array, bool is_whole) { return owned(bytes_of(array, is_whole)); },
      nb::sig("def _bytes_of(array: Array, is_whole: bool, /) -> Array"));
  auto array_class = nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"));
  array_class.def_prop_ro(
      "memory",
      [](nb::handle self) {
        return nb::module_::import_("isthmus.memory").attr("memory_of")(self);
      },
      nb::sig("def memory(self) -> isthmus.memory.Memory"),
      "The whole allocation that holds the array, as an object of isthmus.memory; for imported\n"
      "memory the known part of it.\n\n"
      "Returns: a view.\n"
      "Waits: for its value to be begun.");
  m.def(
      "_held_bytes",
      [owned](nb::handle array, nb::handle owner) { return owned(held_bytes(array, owner)); },
      nb::sig("def _held_bytes(array: Array, owner: object, /) -> Array"));
  m.def("_owner_of", &owner_of, nb::sig("def _owner_of(array: Array, /) -> typing.Any"));
  m.def(
      "_address_of",
      [](nb::handle array) { return address_of(require_array("memory", array.ptr())); },
      nb::sig("def _address_of(array: Array, /) -> int"));
  m.def(
      "_kind_of",
      [](nb::handle array) {
        return std::string(to_string(memory_below(require_array("memory", array.ptr())).kind));
      },
      nb::sig("def _kind_of(array: Array, /) -> str"));
  m.def(
      "_is_contiguous",
      [](nb::handle object) {
        const Layout& layout = require_array("flags", object.ptr()).layout();
        return nb::make_tuple(is_row_major(layout), is_column_major(layout));
      },
      nb::sig("def _is_contiguous(array: Array, /) -> tuple[bool, bool]"),
      "Whether the elements are contiguous in row-major order, and in column-major order.");
  m.def(
      "_is_host_reachable",
      [](nb::handle array) { return is_host_reachable(require_array("to_numpy", array.ptr())); },
      nb::sig("def _is_host_reachable(array: Array, /) -> bool"),
      "Whether the host can access the memory without a copy; evaluates nothing.");
  m.def(
      "_context_of",
      [](nb::handle array) {
        return context_object(memory_context(require_array("memory", array.ptr())));
      },
      nb::sig("def _context_of(array: Array, /) -> Context"));
  m.def(
      "_queue_of",
      [](nb::handle array) {
        return queue_object(memory_queue(require_array("memory", array.ptr())));
      },
      nb::sig("def _queue_of(array: Array, /) -> Queue"));
  m.def("_usm_type", &usm_type, nb::arg(), nb::arg().none(),
        nb::sig("def _usm_type(array: Array, syclobj: object, /) -> str"));
  m.def(
      "from_memory",
      [owned](nb::handle memory, nb::handle shape, nb::handle dtype, nb::handle strides,
              std::int64_t offset) {
        return owned(over_bytes(memory, shape, dtype, strides, offset));
      },
      nb::arg("memory"), nb::arg("shape"), nb::arg("dtype"), nb::kw_only(),
      nb::arg("strides") = nb::none(), nb::arg("offset") = 0,
      nb::sig("def from_memory(memory: typing.Any, shape: int | typing.Sequence[int], dtype: "
              "typing.Any, *, strides: typing.Sequence[int] | None = None, offset: int = 0) -> "
              "Array"),
      "An array over the bytes of a memory object: of isthmus.memory or dpctl.memory, a buffer\n"
      "or SVM of pyopencl, or anything whose memory asarray shares.\n\n"
      "Units: strides and offset count elements; strides may be negative; without strides the\n"
      "array is row-major.\n"
      "Returns: a view, which keeps the memory alive.\n"
      "Waits: no.\n"
      "Raises: ExchangeError if an element is outside the memory, or misaligned.");
}

}  // namespace isthmus::python
