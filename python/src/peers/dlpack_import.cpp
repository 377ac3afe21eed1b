// dlpack_import.cpp: asks producers for their capsules, and takes the tensors out.
#include "python/src/peers/dlpack_import.h"

#include <cstring>
#include <utility>

#include "isthmus/exchange/dlpack_memory.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"
#include "python/src/object/arguments.h"
#include "python/src/object/name.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/foreign_errors.h"
#include "python/src/peers/sycl_objects.h"

namespace isthmus::python {

namespace {

using isthmus::dlpack::DLDeviceType;
using isthmus::dlpack::DLManagedTensor;
using isthmus::dlpack::DLManagedTensorVersioned;

constexpr const char* versioned_name = "dltensor_versioned";
constexpr const char* used_versioned_name = "used_dltensor_versioned";
constexpr const char* legacy_name = "dltensor";
constexpr const char* used_legacy_name = "used_dltensor";

std::int64_t value_of_int(PyObject* number) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  return overflow ? INT64_MAX : value;
}

std::int64_t integer_of(const char* name, PyObject* object) {
  if (PyLong_CheckExact(object)) return value_of_int(object);
  nb::object number = nb::steal(PyNumber_Index(object));
  if (!number) {
    // the page's type is Enum, which need not be an IntEnum
    clear_answer();
    const nb::object value = nb::steal(PyObject_GetAttrString(object, "value"));
    if (value) number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number) clear_answer();
  }
  check(number.is_valid(), Errc::type, "__dlpack__: {}: {} is not an integer", name,
        found_as(object));
  return value_of_int(number.ptr());
}

template <class Tensor>
void call_deleter(void* object) {
  auto* tensor = static_cast<Tensor*>(object);
  if (tensor->deleter) tensor->deleter(tensor);
}

/// Producers' deleters often need the GIL, and do not all take it.
template <class Tensor>
bool release_tensor(BackendMemory& memory) noexcept {
  drop_anywhere(call_deleter<Tensor>, memory.owner);
  return false;
}

template <class Tensor>
Array import_tensor(PyObject* capsule, const char* name, const char* used_name,
                    const DlpackImport& import) {
  auto* tensor = static_cast<Tensor*>(PyCapsule_GetPointer(capsule, name));
  if (!tensor || PyCapsule_SetName(capsule, used_name)) throw nb::python_error();
  return from_dlpack(tensor, import, release_tensor<Tensor>);
}

/// JAX's arrays never change, but its capsules are of the form that cannot say so.
bool is_jax(PyObject* object) {
  const char* type = Py_TYPE(object)->tp_name;
  return !std::strncmp(type, "jaxlib.", 7) || !std::strncmp(type, "jax.", 4);
}

/// dpnp 0.20 flags every array without axes as read-only; what the array itself says is right.
bool says_writable(PyObject* producer) {
  const nb::object flags = nb::steal(PyObject_GetAttrString(producer, "flags"));
  const nb::object writable =
      flags ? nb::steal(PyObject_GetAttrString(flags.ptr(), "writable")) : nb::object();
  clear_answer();
  return writable.ptr() == Py_True;
}

Array import_capsule(PyObject* capsule, PyObject* producer, DlpackImport import) {
  check(PyCapsule_CheckExact(capsule), Errc::type,
        "from_dlpack: __dlpack__ returned {}, not a capsule", found_as(capsule));
  const char* name = PyCapsule_GetName(capsule);
  if (!name) PyErr_Clear();
  const std::string_view found = name ? name : "";
  if (found == versioned_name) {
    const auto* tensor =
        static_cast<const DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, name));
    const bool is_doubtful = tensor->version.major == isthmus::dlpack::major_version &&
                             (tensor->flags & isthmus::dlpack::read_only_flag) &&
                             tensor->dl_tensor.ndim == 0;
    import.is_writable = is_doubtful && says_writable(producer);
    return import_tensor<DLManagedTensorVersioned>(capsule, name, used_versioned_name, import);
  }
  import.is_read_only = is_jax(producer);
  if (found == legacy_name)
    return import_tensor<DLManagedTensor>(capsule, name, used_legacy_name, import);
  fail(Errc::exchange, "from_dlpack: capsule: its name is '{}', not '{}' or '{}'{}", found,
       versioned_name, legacy_name, found.starts_with("used_") ? "; it was consumed before" : "");
}

/// Where the producer's memory is, as far as that matters before it is asked for it.
struct Peer {
  Backend* backend = nullptr;  ///< Null: the host's, or of a device that is none of ours.
  Ref<BackendQueue> queue;     ///< Where the producer puts work on it, if it says so.
  nb::object stream = nb::none();
  std::optional<isthmus::dlpack::DLDevice> device;  ///< As __dlpack_device__ names it.
};

/// Our queue as dpnp, the one consumer and producer that knows SYCL's queues, takes it.
nb::object stream_for(Backend& b, int number) {
  static ForeignClass sycl_queue("dpctl", "SyclQueue");
  const int index = b.device_of_dlpack_number(number);
  if (!sycl_queue.is_there() || index < 0) return nb::none();
  const Ref<BackendQueue> queue = current_backend_queue(Device(b.name(), index));
  static std::uint64_t made_for = 0;
  static PyObject* made = nullptr;  // of the queue that was asked for last; guarded by the GIL
  if (made_for != queue->id) {
    nb::object stream = sycl_queue.get()(sycl_capsule_of(*queue));
    Py_XDECREF(std::exchange(made, stream.release().ptr()));
    made_for = queue->id;
  }
  return nb::borrow(made);
}

Peer peer_of(PyObject* producer) {
  Peer peer;
  const nb::object device =
      nb::steal(PyObject_CallMethodNoArgs(producer, "__dlpack_device__"_name));
  if (!device) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
    PyErr_Clear();  // producers of before 2021; their capsule tells
    return peer;
  }
  const auto [type, number] = pair_of("__dlpack_device__", device.ptr());
  check(std::in_range<std::int32_t>(type) && std::in_range<std::int32_t>(number), Errc::exchange,
        "from_dlpack: __dlpack_device__: ({}, {}) is not a device", type, number);
  peer.device = {static_cast<DLDeviceType>(type), static_cast<std::int32_t>(number)};
  if (type == isthmus::dlpack::kDLCPU) return peer;
  peer.backend = dlpack_backend(static_cast<DLDeviceType>(type));
  if (!peer.backend || type != isthmus::dlpack::kDLOneAPI) return peer;
  const nb::object queue = nb::steal(find_attribute(producer, "sycl_queue"_name));
  clear_answer();
  if (queue) peer.queue = sycl_queue_of("from_dlpack", queue);
  // behind its own queue our work comes anyway; a barrier on another would be for nothing
  peer.stream = queue ? queue : stream_for(*peer.backend, static_cast<int>(number));
  return peer;
}

/// Names and values of the keyword arguments of __dlpack__.
struct Spelling {
  PyObject *method, *version_name, *names, *all_names, *version, *host;
  Spelling()
      : method(PyUnicode_InternFromString("__dlpack__")),
        version_name(nb::make_tuple("max_version").release().ptr()),
        names(nb::make_tuple("max_version", "dl_device", "copy").release().ptr()),
        all_names(nb::make_tuple("max_version", "dl_device", "copy", "stream").release().ptr()),
        version(nb::make_tuple(isthmus::dlpack::major_version, isthmus::dlpack::minor_version)
                    .release()
                    .ptr()),
        host(nb::make_tuple(1, 0).release().ptr()) {
    for (PyObject* tuple : {version_name, names, all_names})
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
        PyObject* name = Py_NewRef(PyTuple_GET_ITEM(tuple, i));
        PyUnicode_InternInPlace(&name);
        PyTuple_SetItem(tuple, i, name);
      }
  }
};

/// Whether the tensor shall lie where the host reaches it, wherever it is now.
bool wants_host_of(const ImportRequest& request, const Peer& peer) {
  return request.device && request.device->is_host() && !peer.backend;
}

/// Asks in the newest form first; a producer that does not know a keyword raises TypeError.
nb::object ask(PyObject* producer, const ImportRequest& request, const Peer& peer) {
  static const Spelling s;
  const auto is_type_error = [](const nb::object& result) {
    if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    PyErr_Clear();
    return true;
  };
  nb::object result;
  bool is_refused = true;
  // where it lies is best: what reaches it from another device shares it
  const bool wants_host = wants_host_of(request, peer);
  if (request.copy || wants_host || !peer.stream.is_none()) {
    PyObject* copy = !request.copy ? Py_None : *request.copy ? Py_True : Py_False;
    PyObject* device = wants_host ? s.host : Py_None;
    PyObject* args[] = {producer, s.version, device, copy, peer.stream.ptr()};
    result = nb::steal(PyObject_VectorcallMethod(s.method, args, 1,
                                                 peer.stream.is_none() ? s.names : s.all_names));
    is_refused = is_type_error(result);
  }
  if (is_refused) {
    PyObject* args[] = {producer, s.version};
    result = nb::steal(PyObject_VectorcallMethod(s.method, args, 1, s.version_name));
    if (is_type_error(result))
      result = nb::steal(PyObject_VectorcallMethod(s.method, args, 1, nullptr));
  }
  if (!result) throw nb::python_error();
  return result;
}

}  // namespace

[[gnu::hot]] std::pair<std::int64_t, std::int64_t> pair_of(const char* name, PyObject* object) {
  check(PyTuple_Check(object) && PyTuple_GET_SIZE(object) == 2, Errc::type,
        "__dlpack__: {}: expected a tuple of two integers, not {}", name, found_as(object));
  return {integer_of(name, PyTuple_GET_ITEM(object, 0)),
          integer_of(name, PyTuple_GET_ITEM(object, 1))};
}

Array import_dlpack(nb::handle object, const ImportRequest& request) {
  Peer peer = peer_of(object.ptr());
  const nb::object capsule = ask(object.ptr(), request, peer);
  DlpackImport import;
  import.is_private = request.is_private;
  if (!wants_host_of(request, peer)) import.device = peer.device;
  if (peer.queue) import.queue = Queue(std::move(peer.queue));
  Array array = import_capsule(capsule.ptr(), object.ptr(), import);
  need_dtype_object(array.dtype());
  return array;
}

}  // namespace isthmus::python
