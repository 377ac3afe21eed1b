// sycl_usm_array_interface.cpp: __sycl_usm_array_interface__, version 1, both ways.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/object/arguments.h"
#include "python/src/object/collections.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/dpctl_memory.h"
#include "python/src/peers/interface_fields.h"
#include "python/src/peers/sycl_objects.h"

namespace isthmus::python {

using detail::format;

namespace {

constexpr const char* attribute = "__sycl_usm_array_interface__";

// ---- as producer

/// SYCL's context in which others can use the memory, or why there is none.
struct Place {
  Ref<BackendContext> context;
  std::string reason;
};

/// OpenCL's USM is SYCL's where both work in one cl_context, as our two backends do.
Place above_opencl(const BackendContext& context) {
  try {
    Backend& sycl = backend("sycl");
    for (int i = 0; i < sycl.device_count(); ++i)
      if (Ref<BackendContext> above = sycl.default_context(i); above->space == context.space)
        return {std::move(above), {}};
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
  return {nullptr, format("{} is not below a context of SYCL", context.name)};
}

/// Evaluates nothing, so that hasattr() does not.
Place place_of(const Array& array) {
  const Device& device = array.device();
  const DType dtype = array.dtype();
  if (!dtype.is_builtin() || dtype == DType(TypeId::bfloat16))
    return {nullptr, format("typestr cannot represent {}", dtype)};
  const bool is_opencl = device.backend() == "opencl";
  if (!is_opencl && device.backend() != "sycl")
    return {nullptr, format("memory of {} is not USM; to_device(\"sycl\") copies", device)};
  Ref<BackendContext> context;
  MemoryKind kind = backend(device).describe(device.index()).kinds.at(0);
  if (array.is_pending() || array.size() == 0) {
    context = current_backend_queue(device)->context;
  } else {
    context = array.storage()->memory()->context;
    kind = array.storage()->memory()->kind;
  }
  if (!context || kind == MemoryKind::buffer || kind == MemoryKind::unknown)
    return {nullptr, format("{} uses memory here that is not USM", device)};
  if (is_opencl) return above_opencl(*context);
  return {std::move(context), {}};
}

Shown& shown_by(ArrayObject& object) {
  if (!object.shown) object.shown = std::make_unique<Shown>();
  return *object.shown;
}

/// Where a consumer had best put its work: with the memory's owner, or with this thread. Our work
/// and what is put there take turns as long as the array object lives.
nb::object syclobj_of(ArrayObject& object, const Ref<BackendContext>& context) {
  const Ref<BackendQueue>& owner = object.array.storage()->memory()->foreign_queue;
  if (owner && owner->context->device.backend() == "sycl") return queue_object(owner);
  const Ref<BackendQueue> current = current_backend_queue(context->device);
  if (current->context->space != context->space) return context_object(context);
  auto& known = shown_by(object).queues;
  if (object.array.size() && std::ranges::find(known, current) == known.end()) {
    known.reserve(known.size() + 1);  // first: what was begun must be ended
    begin_export(object.array, {current});
    known.push_back(current);
  }
  return queue_object(current);
}

/// Of the first element: some consumers forget the offset. Where there is none, still an address
/// of the context, since consumers refuse null.
std::uintptr_t address_of(ArrayObject& object, const Ref<BackendContext>& context) {
  const Array& array = object.array;
  const BackendMemory& memory = *array.storage()->memory();
  if (memory.context)
    return memory.handle +
           static_cast<std::uintptr_t>(array.layout().offset * array.dtype().bytes());
  Ref<BackendMemory>& nothing = shown_by(object).nothing;
  if (!nothing) {
    const Unblocked unblocked;
    nothing = allocate(*queue_in(context, context->device), 1);
  }
  return nothing->handle;
}

PyObject* interface_of(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    ArrayObject& object = object_of(self);
    const Array& array = object.array;
    const Place place = place_of(array);
    if (!place.context) {
      PyErr_Format(PyExc_AttributeError, "%s: %s", attribute, place.reason.c_str());
      return nullptr;
    }
    show_address(object);
    const Dims strides = with_plain_strides(array.layout()).strides;
    nb::dict d = new_dict();
    d["version"] = 1;
    d["typestr"] = typestr_of(array.dtype());
    d["shape"] = tuple_of({array.shape().begin(), array.shape().end()});
    d["strides"] = tuple_of({strides.begin(), strides.end()});
    d["data"] = nb::make_tuple(address_of(object, place.context), array.is_read_only());
    d["offset"] = 0;
    d["syclobj"] = syclobj_of(object, place.context);
    return d.release().ptr();
  });
}

const PyGetSetDef attributes[] = {
    {attribute, interface_of, nullptr,
     "Shape, typestr, strides in elements, USM address and SYCL queue, version 1.\n\n"
     "Waits: for its value and all work on its memory, which is shared while this object is "
     "alive.\n"
     "Raises: AttributeError, without evaluating anything, unless the memory is USM of SYCL,\n"
     "or of OpenCL in SYCL's own context.\n"
     "Source: dpctl, __sycl_usm_array_interface__.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---- as consumer

/// Bytes in any order that means this machine's, of a number or a bool.
DType dtype_from(const Fields& fields) {
  const std::string typestr = fields.text("typestr"_name);
  std::string_view rest = typestr;
  if (!rest.empty() && std::string_view("<|=").find(rest[0]) != rest.npos) rest.remove_prefix(1);
  const bool is_number = rest.size() >= 2 && std::string_view("biufc").find(rest[0]) != rest.npos &&
                         rest.find_first_not_of("0123456789", 1) == rest.npos;
  check(is_number, Errc::exchange,
        "{}: typestr: '{}' is not b, i, u, f or c and bytes in this machine's order", attribute,
        typestr);
  // whatever the order is called, it is this machine's: dpctl writes '|f8'
  for (std::size_t i = 0; i < type_table.size(); ++i)
    if (type_table[i].typestr.substr(1) == rest) return static_cast<TypeId>(i);
  try {
    return dtype_from_typestr(typestr);
  } catch (const Error& error) {
    fail(Errc::exchange, "{}: {}", attribute, error.text());
  }
}

SyclObject syclobj_from(const Fields& fields) {
  const nb::object value = fields.get("syclobj"_name);
  check(!value.is_none(), Errc::exchange, "{}: syclobj: missing", attribute);
  constexpr const char* who = "__sycl_usm_array_interface__: syclobj";
  try {
    return sycl_object_of(who, value);
  } catch (const Error& error) {
    const std::string_view text = error.text();
    if (error.code() != Errc::exchange || text.starts_with(attribute)) throw;
    fail(Errc::exchange, "{}: {}", who, text);
  } catch (const nb::python_error& error) {
    if (!is_refusal(error)) throw;
    fail(Errc::exchange, "{}: {}", who, utf8_of(nb::str(error.value())));
  }
}

/// dpctl's own memory, whose class says the kind: no dict is made, and no driver asked.
Array import_memory(nb::handle object, const DpctlMemory& memory) {
  Foreign foreign;
  foreign.who = attribute;
  foreign.dtype = TypeId::uint8;
  foreign.layout = row_major({&memory.bytes, 1});
  foreign.address = memory.address;
  foreign.kind = memory.kind;
  foreign.queue = sycl_queue_at(attribute, memory.queue);
  foreign.context = foreign.queue->context;
  foreign.owner = object.ptr();
  foreign.release = release_object;
  Array array = adopt(foreign);
  object.inc_ref();
  return array;
}

/// The wiki's rule where there is no address: the buffer protocol, of USM that the host can reach
/// or of host memory, which becomes an array of SYCL's device where that can reach it.
Array from_buffer(const Fields& fields, nb::handle object, Foreign& foreign) {
  check(PyObject_CheckBuffer(object.ptr()), Errc::exchange,
        "{}: data: missing, and {} has no buffer either", attribute, found_as(object));
  HeldBuffer view = hold_buffer(object);
  std::int64_t byte_offset;
  check(product_fits(foreign.layout.offset, foreign.dtype.bytes(), byte_offset), Errc::exchange,
        "{}: offset: {} elements are beyond 2^63-1 bytes", attribute, foreign.layout.offset);
  foreign.layout.offset = 0;
  const Address at = address_in(fields, *view, byte_offset, foreign.dtype, foreign.layout);
  foreign.address = at.pointer;
  foreign.is_read_only = at.is_read_only;
  foreign.owner = view.get();
  foreign.release = release_buffer;
  const Device device = foreign.context->device;
  const auto address = reinterpret_cast<std::uintptr_t>(at.pointer);
  const bool is_usm = backend(device).query(*foreign.context, address).kind != MemoryKind::unknown;
  if (!is_usm) foreign.context = nullptr, foreign.queue = nullptr;
  Array array = adopt(foreign);
  view.release();
  if (is_usm) return array;
  const std::optional<Array> there = share_on(array, device);
  return there ? *there : array;
}

bool speaks(nb::handle object) { return shows(object, "__sycl_usm_array_interface__"_name); }

Array import_array(nb::handle object, const ImportRequest&) {
  if (const auto memory = dpctl_memory(object)) return import_memory(object, *memory);
  const Fields fields("__sycl_usm_array_interface__"_name, object);
  fields.require_version(1);
  Foreign foreign;
  foreign.who = attribute;
  foreign.dtype = dtype_from(fields);
  foreign.layout = fields.layout(foreign.dtype, Fields::StrideUnit::elements);
  foreign.layout.offset = fields.number("offset"_name);
  SyclObject place = syclobj_from(fields);
  foreign.context = std::move(place.context);
  foreign.queue = std::move(place.queue);
  if (fields.get("data"_name).is_none()) return from_buffer(fields, object, foreign);
  const Address at = fields.address();
  foreign.address = at.pointer;
  // dpctl's memory shows True where the page wants False: its flag says that it is writable
  foreign.is_read_only = at.is_read_only && !is_dpctl_memory(object);
  foreign.owner = object.ptr();
  foreign.release = release_object;
  Array array = adopt(foreign);
  object.inc_ref();
  return array;
}

Explanation explain_export(const Array& array) {
  const Place place = place_of(array);
  if (!place.context) return {Explanation::Verdict::impossible, place.reason};
  return {Explanation::Verdict::zero_copy, array.is_read_only() ? "read-only" : ""};
}

}  // namespace

extern const Protocol sycl_usm_array_interface;
// before DLPack, which does not say on which queue its owner works
const Protocol sycl_usm_array_interface = {"sycl_usm_array_interface",
                                           7,
                                           speaks,
                                           import_array,
                                           nullptr,
                                           attributes,
                                           nullptr,
                                           nullptr,
                                           explain_export,
                                           true};

}  // namespace isthmus::python
