// dpctl_memory.cpp: dpctl's functions, found once, by names that say their types.
#include "python/src/peers/dpctl_memory.h"

#include "python/src/peers/foreign_class.h"

namespace nb = nanobind;

namespace isthmus::python {

namespace {

constinit ForeignClass device_class("dpctl.memory", "MemoryUSMDevice");
constinit ForeignClass shared_class("dpctl.memory", "MemoryUSMShared");
constinit ForeignClass host_class("dpctl.memory", "MemoryUSMHost");

/// As dpctl/memory/_memory_api.h declares them. References are borrowed, and none fails.
struct Functions {
  void* (*address)(PyObject*) = nullptr;
  std::size_t (*bytes)(PyObject*) = nullptr;
  void* (*queue)(PyObject*) = nullptr;
};

/// Cython keeps a module's functions in capsules that are named by their signatures.
template <class F>
bool find(nb::handle functions, const char* name, const char* signature, F& found) {
  PyObject* capsule = PyDict_GetItemString(functions.ptr(), name);
  if (!capsule || !PyCapsule_IsValid(capsule, signature)) return false;
  found = reinterpret_cast<F>(PyCapsule_GetPointer(capsule, signature));
  return true;
}

/// Empty where one is missing.
Functions find_functions() {
  Functions f;
  const nb::object module = nb::steal(PyImport_GetModule(nb::str("dpctl.memory._memory").ptr()));
  const nb::object all =
      module ? nb::steal(PyObject_GetAttrString(module.ptr(), "__pyx_capi__")) : nb::object();
  PyErr_Clear();
  const bool are_known =
      all && PyDict_Check(all.ptr()) &&
      find(all, "Memory_GetUsmPointer", "DPCTLSyclUSMRef (struct Py_MemoryObject *)", f.address) &&
      find(all, "Memory_GetNumBytes", "size_t (struct Py_MemoryObject *)", f.bytes) &&
      find(all, "Memory_GetQueueRef", "DPCTLSyclQueueRef (struct Py_MemoryObject *)", f.queue);
  return are_known ? f : Functions();
}

/// dpctl makes an object of a class only over memory of its kind.
MemoryKind kind_of(nb::handle object) {
  if (shared_class.is_exactly_of(object)) return MemoryKind::shared;
  if (device_class.is_exactly_of(object)) return MemoryKind::device;
  if (host_class.is_exactly_of(object)) return MemoryKind::host;
  return MemoryKind::unknown;
}

}  // namespace

std::optional<DpctlMemory> dpctl_memory(nb::handle object) {
  const MemoryKind kind = kind_of(object);
  if (kind == MemoryKind::unknown) return {};
  static const Functions f = find_functions();
  if (!f.queue) return {};
  DpctlMemory memory;
  memory.address = f.address(object.ptr());
  memory.bytes = static_cast<std::int64_t>(f.bytes(object.ptr()));
  memory.kind = kind;
  memory.queue = reinterpret_cast<std::uintptr_t>(f.queue(object.ptr()));
  if (!memory.address || !memory.queue) return {};
  return memory;
}

bool is_dpctl_memory(nb::handle object) {
  return shared_class.has(object) || device_class.has(object) || host_class.has(object);
}

}  // namespace isthmus::python
