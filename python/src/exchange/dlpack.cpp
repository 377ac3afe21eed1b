// dlpack.cpp: __dlpack__ and __dlpack_device__; the consumer is dlpack_import.cpp.
#include "isthmus/base/log.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/submit/queues.h"
#include "python/src/object/arguments.h"
#include "python/src/object/name.h"
#include "python/src/peers/dlpack_import.h"
#include "python/src/peers/stream.h"

namespace isthmus::python {

using detail::format;

namespace {

using isthmus::dlpack::DLManagedTensor;
using isthmus::dlpack::DLManagedTensorVersioned;

constexpr const char* versioned_name = "dltensor_versioned";
constexpr const char* legacy_name = "dltensor";

// ---- as producer

/// Frees what no consumer took.
template <class Tensor>
[[gnu::hot]] void destroy_capsule(PyObject* capsule) {
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

using isthmus::dlpack::DLDevice;
using isthmus::dlpack::DLDeviceType;

constexpr DLDevice host_device{isthmus::dlpack::kDLCPU, 0};

/// What is asked of one export, after all arguments were looked at.
struct Wanted {
  const Array& own;
  std::optional<Array> shared =
      {};  ///< As the device that was asked for has it; nothing: as it is.
  bool is_versioned = false;
  DlpackExport how = {};
  const Array& array() const { return shared ? *shared : own; }
};

/// The array as the array of another device that DLPack names; nothing if it cannot be that.
std::optional<Array> shared_on(const Array& array, DLDevice device) {
  const std::optional<Device> named = from_dlpack(device);
  auto shared = named ? share_on(array, *named) : std::nullopt;
  return shared && dlpack_device(*shared) == device ? shared : std::nullopt;
}

std::string kind_of(const Array& array) {
  const MemoryKind kind = array.eval().storage()->memory()->kind;
  return kind == MemoryKind::buffer ? "a cl_mem" : format("{} USM or SVM", to_string(kind));
}

[[gnu::hot]] void choose_device(Wanted& wanted, PyObject* asked, std::optional<bool> may_copy) {
  const DLDevice own = dlpack_device(wanted.array());
  wanted.how.is_on_host = own == host_device;
  if (asked == Py_None) return;
  const auto [type, id] = pair_of("dl_device", asked);
  const DLDevice device{static_cast<DLDeviceType>(type), static_cast<std::int32_t>(id)};
  if (device == host_device) {
    const bool is_reachable = is_host_reachable(wanted.array());
    check(is_reachable || may_copy != false, Errc::copy_refused,
          "__dlpack__: copy: the host cannot access memory of {}; pass copy=None or True",
          wanted.array().device());
    wanted.how.is_on_host = true;
    wanted.how.is_copied = !is_reachable;
  } else if (device != own) {
    auto shared = shared_on(wanted.array(), device);
    check(
        shared.has_value(), Errc::exchange,
        "__dlpack__: dl_device: ({}, {}) is not available from {}, whose memory is {}; {}(1, 0) is",
        type, id, wanted.array().device(), kind_of(wanted.array()),
        own == host_device
            ? ""
            : format("({}, {}) and ", static_cast<int>(own.device_type), own.device_id));
    wanted.shared = std::move(shared);
    wanted.how.is_on_host = false;
  }
}

[[gnu::hot]] Wanted wanted_of(const Array& array, PyObject* stream, PyObject* version,
                              PyObject* device, PyObject* copy) {
  Wanted wanted{.own = array};
  const std::optional<bool> may_copy = copy_flag("__dlpack__", copy);
  // a consumer that knows version 0 only gets the form of version 0
  if (version != Py_None) wanted.is_versioned = pair_of("max_version", version).first >= 1;
  choose_device(wanted, device, may_copy);
  // -1 is meant for devices with streams: mpi4py, for one, passes it for no other
  check(stream == Py_None || !wanted.how.is_on_host, Errc::value,
        "__dlpack__: stream: memory that the host can access has none; pass None");
  const Borrower borrower = borrower_of("__dlpack__: stream", wanted.array().device(), stream);
  wanted.how.is_ordered = borrower.is_ordered;
  if (borrower.queue) {
    check_context(*borrower.queue, *wanted.array().eval().storage()->memory());
    wanted.how.queue = Queue(borrower.queue);
  }
  wanted.how.is_copied = wanted.how.is_copied || may_copy == true;
  return wanted;
}

[[gnu::hot]] PyObject* export_capsule(const Wanted& wanted) {
  if (wanted.is_versioned)
    return capsule_of(to_dlpack(wanted.array(), wanted.how).release(), versioned_name);
  return capsule_of(to_legacy_dlpack(wanted.array(), wanted.how).release(), legacy_name);
}

[[gnu::hot]] PyObject* dunder_dlpack(PyObject* self, PyObject* const* args, Py_ssize_t given,
                                     PyObject* names) {
  static const Keywords<4> keywords({"stream", "max_version", "dl_device", "copy"});
  return guarded([&] {
    catch_up();
    const auto [stream, version, device, copy] =
        keywords.values("__dlpack__", args, given, 0, names);
    return export_capsule(wanted_of(array_of(self), or_none(stream), or_none(version),
                                    or_none(device), or_none(copy)));
  });
}

[[gnu::hot]] PyObject* dunder_dlpack_device(PyObject* self, PyObject*) {
  return guarded([&] {
    const auto device = dlpack_device(array_of(self));
    return Py_BuildValue("(ii)", static_cast<int>(device.device_type), device.device_id);
  });
}

const PyMethodDef methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(dunder_dlpack)),
     METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n"
     "--\n\n"
     "Exports the array as a DLPack capsule, for from_dlpack of another library.\n\n"
     "Returns: a capsule of version 1.3, or of the form before 1.0 if max_version is None; it\n"
     "shares the memory unless copy=True, or dl_device=(1, 0) is requested for memory that the\n"
     "host cannot access.\n"
     "Waits: for all work on its memory if stream is None; for nothing if it is -1. Otherwise\n"
     "later work on the stream waits for that work. A stream is an isthmus.Queue, a\n"
     "dpctl.SyclQueue or an object with its _get_capsule(), a capsule \"SyclQueueRef\", a\n"
     "pyopencl.CommandQueue, or the address of a sycl::queue or cl_command_queue. Host memory\n"
     "has no stream and accepts only None.\n"
     "Raises: BufferError if DLPack cannot represent the array; CopyRefusedError for\n"
     "copy=False if a copy is needed; ValueError for a stream of the host.\n"
     "Source: Array API 2025.12."},
    {"__dlpack_device__", dunder_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n"
     "--\n\n"
     "Device type and index in DLPack's numbering.\n\n"
     "Returns: (14, number) for USM of SYCL, numbered as in dpctl and PyTorch; (4, index) for\n"
     "buffers of OpenCL; else (1, 0) if the host can access the memory, or (12, index).\n"
     "Waits: no.\n"
     "Source: Array API 2025.12."},
    {nullptr, nullptr, 0, nullptr}};

bool speaks(nb::handle object) { return has_attribute(object.ptr(), "__dlpack__"_name); }

Explanation explain_export(const Array& array) {
  try {
    to_dlpack(array.dtype());
  } catch (const Error& error) {
    return {Explanation::Verdict::impossible, error.text()};
  }
  const DLDevice device = dlpack_device(array);
  if (device.device_type == isthmus::dlpack::kDLExtDev)
    return {Explanation::Verdict::copy,
            format("the host cannot access memory of {}", array.device())};
  std::string reason;
  if (device != host_device)
    reason = format("as ({}, {}){}", static_cast<int>(device.device_type), device.device_id,
                    is_host_reachable(array) ? " or (1, 0)" : "");
  if (array.is_read_only())
    reason +=
        format("{}read-only: for consumers of version 1.0 or newer", reason.empty() ? "" : "; ");
  return {Explanation::Verdict::zero_copy, reason};
}

}  // namespace

extern const Protocol dlpack;
const Protocol dlpack = {"dlpack", 20,      speaks,  import_dlpack, methods,
                         nullptr,  nullptr, nullptr, explain_export};

}  // namespace isthmus::python
