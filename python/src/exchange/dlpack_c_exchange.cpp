// dlpack_c_exchange.cpp: the C exchange API of DLPack 1.3, a table of functions on the type.
#include "isthmus/exchange/dlpack.h"
#include "isthmus/exchange/dlpack_memory.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/object/name.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/foreign_errors.h"
#include "python/src/protocol.h"

namespace isthmus::python {

using detail::format;

namespace {

using isthmus::dlpack::DLDevice;
using isthmus::dlpack::DLDeviceType;
using isthmus::dlpack::DLManagedTensorVersioned;
using isthmus::dlpack::DLPackExchangeAPI;
using isthmus::dlpack::DLPackExchangeAPIHeader;
using isthmus::dlpack::DLTensor;

constexpr const char* capsule_name = "dlpack_exchange_api";
constexpr const char* attribute = "__dlpack_c_exchange_api__";

// ---- as producer. Nothing here waits for a stream: whoever asks for current_work_stream, this
// thread's current queue, and works there comes behind our work. The host has no streams: there
// what is pending is calculated and waited for.

constexpr bool is_of_host(const DLDevice& device) {
  return device.device_type == isthmus::dlpack::kDLCPU;
}

/// As what an array is shown, and where it will be worked on.
[[gnu::hot]] DlpackExport shown(const Array& array) {
  if (array.device().is_host()) return {.is_on_host = true};
  array.eval();
  const auto own = dlpack_device(array);
  if (own.device_type == isthmus::dlpack::kDLExtDev) return {};  // which is refused by name
  // consumers look in the default context alone
  const Ref<BackendContext>& context = array.storage()->memory()->context;
  const Ref<BackendContext> looked_in =
      backend(array.device()).default_context(array.device().index());
  const bool is_there = !context || context->space == looked_in->space;
  if (is_of_host(own) || (!is_there && is_host_reachable(array))) return {.is_on_host = true};
  return {.queue = current_queue(array.device())};
}

/// Runs `f`; an exception becomes a Python error and -1.
template <class F>
int status_of(F f) noexcept {
  try {
    f();
    return 0;
  } catch (...) {
    set_python_error();
    return -1;
  }
}

int allocate_tensor(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_context,
                    void (*set_error)(void*, const char*, const char*)) noexcept {
  try {
    const std::optional<Device> device =
        is_of_host(prototype->device) ? Device() : from_dlpack(prototype->device);
    check(device.has_value(), Errc::exchange,
          "managed_tensor_allocator: device: ({}, {}) is not a device that this build can access",
          static_cast<int>(prototype->device.device_type), prototype->device.device_id);
    check(prototype->ndim >= 0 && prototype->ndim <= static_cast<int>(max_dimensions),
          Errc::exchange, "managed_tensor_allocator: ndim: {}", prototype->ndim);
    const Shape shape(prototype->shape, prototype->shape + prototype->ndim);
    const Unblocked unblocked;
    const Array made = empty(shape, from_dlpack(prototype->dtype), *device);
    *out = to_dlpack(made, shown(made)).release();
    return 0;
  } catch (const std::bad_alloc&) {
    set_error(error_context, "MemoryError", "managed_tensor_allocator: no memory left");
  } catch (const Error& error) {
    const bool is_memory = error.code() == Errc::out_of_memory;
    set_error(error_context, is_memory ? "MemoryError" : "BufferError", error.what());
  } catch (const std::exception& error) {
    set_error(error_context, "RuntimeError", error.what());
  }
  return -1;
}

[[gnu::hot]] int tensor_from_object(void* object, DLManagedTensorVersioned** out) noexcept {
  return status_of([&] {
    const Array& array =
        require_array("managed_tensor_from_py_object_no_sync", static_cast<PyObject*>(object));
    *out = to_dlpack(array, shown(array)).release();
  });
}

void call_deleter(void* object) {
  auto* tensor = static_cast<DLManagedTensorVersioned*>(object);
  if (tensor->deleter) tensor->deleter(tensor);
}

bool release_tensor(BackendMemory& memory) noexcept {
  drop_anywhere(call_deleter, memory.owner);
  return false;
}

int object_from_tensor(DLManagedTensorVersioned* tensor, void** out) noexcept {
  return status_of([&] {
    DlpackImport import;
    // the producer has worked on our current queue, which current_work_stream gave it
    if (const auto device = from_dlpack(tensor->dl_tensor.device))
      import.queue = current_queue(*device);
    Array array = from_dlpack(tensor, import, release_tensor);
    need_dtype_object(array.dtype());
    *out = wrap(std::move(array));
  });
}

[[gnu::hot]] int borrow_from_object(void* object, DLTensor* out) noexcept {
  return status_of([&] {
    const Array& array =
        require_array("dltensor_from_py_object_no_sync", static_cast<PyObject*>(object));
    borrow_dlpack(array, *out, shown(array));
  });
}

int current_work_stream(DLDeviceType type, std::int32_t index, void** out) noexcept {
  return status_of([&] {
    *out = nullptr;
    if (type == isthmus::dlpack::kDLCPU) return;
    const Unblocked unblocked;  // it may open a driver
    const std::optional<Device> device = from_dlpack(DLDevice{type, index});
    check(device.has_value(), Errc::exchange,
          "current_work_stream: device: ({}, {}) is not a device that this build can access",
          static_cast<int>(type), index);
    *out = reinterpret_cast<void*>(backend(*device).queue_handle(*current_backend_queue(*device)));
  });
}

DLPackExchangeAPI api = {
    {{isthmus::dlpack::major_version, isthmus::dlpack::minor_version}, nullptr},
    allocate_tensor,
    tensor_from_object,
    object_from_tensor,
    borrow_from_object,
    current_work_stream};

void finish(PyTypeObject* type, nb::module_&) {
  const nb::object capsule = nb::steal(PyCapsule_New(&api, capsule_name, nullptr));
  if (!capsule) throw nb::python_error();
  nb::setattr(reinterpret_cast<PyObject*>(type), attribute, capsule);
}

// ---- as consumer

/// The table of version 1 that a type has, or null; no Python error is set.
const DLPackExchangeAPI* look_up(PyTypeObject* type) {
  PyObject* const name = "__dlpack_c_exchange_api__"_name;
  if (!_PyType_Lookup(type, name)) return nullptr;
  const nb::object capsule = nb::steal(PyObject_GetAttr(reinterpret_cast<PyObject*>(type), name));
  const void* table = capsule && PyCapsule_IsValid(capsule.ptr(), capsule_name)
                          ? PyCapsule_GetPointer(capsule.ptr(), capsule_name)
                          : nullptr;
  clear_answer();
  auto* header = static_cast<const DLPackExchangeAPIHeader*>(table);
  while (header && header->version.major != isthmus::dlpack::major_version)
    header = header->prev_api;
  return reinterpret_cast<const DLPackExchangeAPI*>(header);
}

/// The answer is remembered for static types, which never die: ndarray foremost.
const DLPackExchangeAPI* api_of(PyTypeObject* type) {
  static PyTypeObject* known_without = nullptr;
  if (type == known_without) return nullptr;
  const DLPackExchangeAPI* found = look_up(type);
  if (!found && !(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) known_without = type;
  return found;
}

bool speaks(nb::handle object) { return api_of(Py_TYPE(object.ptr())) != nullptr; }

/// Where a peer works on memory of the device; null where it does not say.
std::optional<Queue> queue_of_peer(const DLPackExchangeAPI& table, DLDevice named) {
  const std::optional<Device> device = from_dlpack(named);
  if (!device) return {};
  void* stream = nullptr;
  if (table.current_work_stream(named.device_type, named.device_id, &stream)) {
    check(PyErr_Occurred(), Errc::exchange,
          "{}: current_work_stream failed and set no Python error", attribute);
    throw nb::python_error();
  }
  if (!stream) return {};
  return Queue(queue_at(*device, reinterpret_cast<std::uintptr_t>(stream)));
}

Array import_array(nb::handle object, const ImportRequest& request) {
  const DLPackExchangeAPI* table = api_of(Py_TYPE(object.ptr()));
  DLManagedTensorVersioned* tensor = nullptr;
  check(table, Errc::exchange, "{}: the type has no table of version 1", attribute);
  if (table->managed_tensor_from_py_object_no_sync(object.ptr(), &tensor)) {
    check(PyErr_Occurred(), Errc::exchange,
          "{}: managed_tensor_from_py_object_no_sync failed and set no Python error", attribute);
    throw nb::python_error();
  }
  DlpackImport import;
  import.is_private = request.is_private;
  if (tensor && !is_of_host(tensor->dl_tensor.device)) try {
      import.queue = queue_of_peer(*table, tensor->dl_tensor.device);
    } catch (...) {
      call_deleter(tensor);
      throw;
    }
  Array array = from_dlpack(tensor, import, release_tensor);
  need_dtype_object(array.dtype());
  return array;
}

Explanation explain_export(const Array& array) {
  try {
    to_dlpack(array.dtype());
  } catch (const Error& error) {
    return {Explanation::Verdict::impossible, error.what()};
  }
  if (is_host_reachable(array) || dlpack_device(array).device_type != isthmus::dlpack::kDLExtDev)
    return {Explanation::Verdict::zero_copy, ""};
  return {Explanation::Verdict::impossible,
          format("the host cannot access memory of {}", array.device())};
}

}  // namespace

extern const Protocol dlpack_c_exchange;
const Protocol dlpack_c_exchange = {
    "dlpack_c_exchange", 10, speaks, import_array, nullptr, nullptr, nullptr, finish,
    explain_export};

}  // namespace isthmus::python
