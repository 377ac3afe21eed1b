// dlpack.cpp: __dlpack__ and __dlpack_device__, as producer and as consumer.
#include "isthmus/exchange/dlpack.h"

#include <cstring>

#include "isthmus/base/log.h"
#include "isthmus/runtime/evaluate.h"
#include "isthmus/runtime/statistics.h"
#include "python/src/arguments.h"
#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

using isthmus::dlpack::DLManagedTensor;
using isthmus::dlpack::DLManagedTensorVersioned;

constexpr const char* versioned_name = "dltensor_versioned";
constexpr const char* used_versioned_name = "used_dltensor_versioned";
constexpr const char* legacy_name = "dltensor";
constexpr const char* used_legacy_name = "used_dltensor";

// ---- as producer

/// Frees what no consumer took.
template <class Tensor>
void destroy_capsule(PyObject* capsule) {
  const char* name = std::is_same_v<Tensor, DLManagedTensor> ? legacy_name : versioned_name;
  if (!PyCapsule_IsValid(capsule, name)) return;  // consumed
  auto* tensor = static_cast<Tensor*>(PyCapsule_GetPointer(capsule, name));
  tensor->deleter(tensor);  // ours: needs no GIL and sets no error
}

template <class Tensor>
PyObject* capsule_of(Tensor* tensor, const char* name) {
  PyObject* capsule = PyCapsule_New(tensor, name, destroy_capsule<Tensor>);
  if (!capsule) tensor->deleter(tensor);
  return capsule;
}

std::int64_t integer_of(const char* name, PyObject* object) {
  nb::object number = nb::steal(PyNumber_Index(object));
  if (!number) {
    // the page's type is Enum, which need not be an IntEnum
    PyErr_Clear();
    const nb::object value = nb::steal(PyObject_GetAttrString(object, "value"));
    if (value) number = nb::steal(PyNumber_Index(value.ptr()));
    if (!number) PyErr_Clear();
  }
  check(number.is_valid(), Errc::type, "__dlpack__: {}: a {} is not an integer", name,
        Py_TYPE(object)->tp_name);
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  return overflow ? INT64_MAX : value;
}

std::pair<std::int64_t, std::int64_t> pair_of(const char* name, PyObject* object) {
  check(PyTuple_Check(object) && PyTuple_GET_SIZE(object) == 2, Errc::type,
        "__dlpack__: {}: expected a tuple of two integers, not a {}", name,
        Py_TYPE(object)->tp_name);
  return {integer_of(name, PyTuple_GET_ITEM(object, 0)),
          integer_of(name, PyTuple_GET_ITEM(object, 1))};
}

/// What is asked of one export, after all arguments were looked at.
struct Wanted {
  bool is_versioned = false;
  bool is_copy = false;
};

Wanted wanted_of(const Array& array, PyObject* stream, PyObject* version, PyObject* device,
                 PyObject* copy) {
  Wanted wanted;
  const std::optional<bool> may_copy = copy_flag("__dlpack__", copy);
  // -1 is meant for devices with streams: mpi4py, for one, passes it for no other
  check(stream == Py_None, Errc::value,
        "__dlpack__: stream: memory that the host reads has none; pass None");
  // a consumer that knows version 0 only gets the form of version 0
  if (version != Py_None) wanted.is_versioned = pair_of("max_version", version).first >= 1;
  const bool is_reachable = is_host_reachable(array);
  if (device != Py_None) {
    const auto [type, id] = pair_of("dl_device", device);
    check(type == isthmus::dlpack::kDLCPU && id == 0, Errc::exchange,
          "__dlpack__: dl_device: ({}, {}) cannot be had from {}; (1, 0) can", type, id,
          array.device());
    check(is_reachable || may_copy != false, Errc::copy_refused,
          "__dlpack__: copy: memory of {} is out of the host's reach; pass copy=None or True",
          array.device());
    wanted.is_copy = !is_reachable;
  }
  wanted.is_copy = wanted.is_copy || may_copy == true;
  return wanted;
}

PyObject* export_capsule(const Array& array, const Wanted& wanted) {
  Array shown = array;
  if (wanted.is_copy) {
    const bool is_near = is_host_reachable(array);  // a transfer counts itself
    shown = is_near ? isthmus::copy(array) : to_device(array, Device());
    if (is_near) {
      count_copy();
      log(Channel::exchange, Level::info, "__dlpack__: copy of {} bytes",
          array.size() * array.dtype().bytes());
    }
  }
  if (wanted.is_versioned) return capsule_of(to_dlpack(shown, wanted.is_copy), versioned_name);
  return capsule_of(to_legacy_dlpack(shown), legacy_name);
}

PyObject* dunder_dlpack(PyObject* self, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  static const Keywords<4> keywords({"stream", "max_version", "dl_device", "copy"});
  return guarded([&] {
    catch_up();
    const auto [stream, version, device, copy] =
        keywords.values("__dlpack__", args, given, 0, names);
    const Array& array = array_of(self);
    return export_capsule(
        array, wanted_of(array, or_none(stream), or_none(version), or_none(device), or_none(copy)));
  });
}

PyObject* dunder_dlpack_device(PyObject* self, PyObject*) {
  return guarded([&] {
    const auto device = dlpack_device(array_of(self));
    return Py_BuildValue("(ii)", static_cast<int>(device.device_type), device.device_id);
  });
}

const PyMethodDef methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(dunder_dlpack)),
     METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "The array as a DLPack capsule, for from_dlpack of another library.\n\n"
     "Returns: a capsule of version 1.3, or of the form before 1.0 if max_version is None; it\n"
     "shares the memory unless copy=True, or dl_device=(1, 0) asks for memory that the host\n"
     "cannot reach.\nWaits: for its value and all work on its memory.\n"
     "Raises: BufferError where DLPack cannot say it; CopyRefusedError for copy=False;\n"
     "ValueError for a stream.\nSource: Array API 2025.12."},
    {"__dlpack_device__", dunder_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\n"
     "Device type and index as DLPack numbers them.\n\n"
     "Returns: (1, 0) where the host can look, else (12, index).\nWaits: no.\n"
     "Source: Array API 2025.12."},
    {nullptr, nullptr, 0, nullptr}};

// ---- as consumer

template <class Tensor>
void call_deleter(void* object) {
  auto* tensor = static_cast<Tensor*>(object);
  if (tensor->deleter) tensor->deleter(tensor);
}

/// Producers' deleters often need the GIL, and do not all take it.
template <class Tensor>
bool release_tensor(Memory& memory) noexcept {
  drop_anywhere(call_deleter<Tensor>, memory.owner);
  return false;
}

template <class Tensor>
Array import_tensor(PyObject* capsule, const char* name, const char* used_name,
                    DlpackImport import) {
  auto* tensor = static_cast<Tensor*>(PyCapsule_GetPointer(capsule, name));
  if (!tensor || PyCapsule_SetName(capsule, used_name)) throw nb::python_error();
  import.release = release_tensor<Tensor>;
  return from_dlpack(tensor, import);
}

/// JAX's arrays never change, but its capsules are of the form that cannot say so.
bool is_jax(PyObject* object) {
  const char* type = Py_TYPE(object)->tp_name;
  return !std::strncmp(type, "jaxlib.", 7) || !std::strncmp(type, "jax.", 4);
}

Array import_capsule(PyObject* capsule, PyObject* producer, bool is_private) {
  check(PyCapsule_CheckExact(capsule), Errc::type,
        "from_dlpack: __dlpack__ returned a {}, not a capsule", Py_TYPE(capsule)->tp_name);
  DlpackImport import;
  import.is_private = is_private;
  const char* name = PyCapsule_GetName(capsule);
  if (!name) PyErr_Clear();
  const std::string_view found = name ? name : "";
  if (found == versioned_name)
    return import_tensor<DLManagedTensorVersioned>(capsule, name, used_versioned_name, import);
  import.is_read_only = is_jax(producer);
  if (found == legacy_name)
    return import_tensor<DLManagedTensor>(capsule, name, used_legacy_name, import);
  fail(Errc::exchange, "from_dlpack: capsule: it is named '{}' and not '{}' or '{}'{}", found,
       versioned_name, legacy_name, found.starts_with("used_") ? "; it was consumed before" : "");
}

/// Names and values of the keyword arguments of __dlpack__.
struct Spelling {
  PyObject *method, *version_name, *all_names, *version, *host;
  Spelling()
      : method(PyUnicode_InternFromString("__dlpack__")),
        version_name(nb::make_tuple("max_version").release().ptr()),
        all_names(nb::make_tuple("max_version", "dl_device", "copy").release().ptr()),
        version(nb::make_tuple(isthmus::dlpack::major_version, isthmus::dlpack::minor_version)
                    .release()
                    .ptr()),
        host(nb::make_tuple(1, 0).release().ptr()) {
    for (PyObject* names : {version_name, all_names})
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i) {
        PyObject* name = Py_NewRef(PyTuple_GET_ITEM(names, i));
        PyUnicode_InternInPlace(&name);
        PyTuple_SetItem(names, i, name);
      }
  }
};

/// Asks in the newest form first; a producer that does not know a keyword raises TypeError.
nb::object ask(PyObject* producer, const ImportRequest& request) {
  static const Spelling s;
  const auto is_type_error = [](const nb::object& result) {
    if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    PyErr_Clear();
    return true;
  };
  nb::object result;
  bool is_refused = true;
  if (request.copy || request.device) {
    PyObject* copy = !request.copy ? Py_None : *request.copy ? Py_True : Py_False;
    PyObject* device = request.device ? s.host : Py_None;
    PyObject* args[] = {producer, s.version, device, copy};
    result = nb::steal(PyObject_VectorcallMethod(s.method, args, 1, s.all_names));
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

bool speaks(nb::handle object) {
  return !PyType_Check(object.ptr()) && nb::hasattr(object, "__dlpack__");
}

Array import_array(nb::handle object, const ImportRequest& request) {
  const nb::object capsule = ask(object.ptr(), request);
  Array array = import_capsule(capsule.ptr(), object.ptr(), request.is_private);
  need_dtype_object(array.dtype());
  return array;
}

Explanation explain_export(const Array& array) {
  try {
    to_dlpack(array.dtype());
  } catch (const Error& error) {
    return {Explanation::Verdict::impossible, error.what()};
  }
  if (!is_host_reachable(array))
    return {Explanation::Verdict::copy,
            format("memory of {} is out of the host's reach", array.device())};
  return {Explanation::Verdict::zero_copy,
          array.is_read_only() ? "read-only: for consumers of version 1.0 or newer" : ""};
}

}  // namespace

extern const Protocol dlpack;
const Protocol dlpack = {"dlpack", 20,      speaks,  import_array,  methods,
                         nullptr,  nullptr, nullptr, explain_export};

}  // namespace isthmus::python
