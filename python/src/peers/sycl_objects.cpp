// sycl_objects.cpp: capsules of SYCL objects, whose C++ must be of the one libsycl that we use.
#include "python/src/peers/sycl_objects.h"

#include <link.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <set>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/object/arguments.h"
#include "python/src/object/name.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/foreign_errors.h"

namespace isthmus::python {

using detail::format;

namespace {

// The name as it is made, and as who has used it leaves it.
constexpr const char* queue_name = "SyclQueueRef";
constexpr const char* used_queue_name = "used_SyclQueueRef";
constexpr const char* context_name = "SyclContextRef";
constexpr const char* used_context_name = "used_SyclContextRef";

Backend& sycl_backend() {
  static Backend* kept = nullptr;
  return kept_backend(kept, "sycl");
}

/// Major versions of libsycl that are mapped, and how many libraries ever were.
struct Mapped {
  unsigned long long adds = 0;
  std::set<std::string> versions;
};

int note_library(dl_phdr_info* library, std::size_t, void* to) {
  static constexpr const char stem[] = "/libsycl.so.";
  Mapped& mapped = *static_cast<Mapped*>(to);
  mapped.adds = library->dlpi_adds;
  if (const char* found = std::strstr(library->dlpi_name, stem)) {
    const char* version = found + sizeof stem - 1;
    mapped.versions.emplace(version, std::strcspn(version, "."));
  }
  return 0;
}

int note_adds(dl_phdr_info* library, std::size_t, void* to) {
  *static_cast<unsigned long long*>(to) = library->dlpi_adds;
  return 1;  // each library says the same
}

/// SYCL's objects have no stable layout: those of another libsycl cannot be told from ours.
void check_only_one_sycl(std::string_view who) {
  static unsigned long long fine_at = 0;  // guarded by the GIL
  unsigned long long now = 0;
  dl_iterate_phdr(note_adds, &now);
  if (now == fine_at) return;
  Mapped mapped;
  dl_iterate_phdr(note_library, &mapped);
  std::string list;
  for (const std::string& version : mapped.versions)
    list += format("{}libsycl.so.{}", list.empty() ? "" : " and ", version);
  check(mapped.versions.size() < 2, Errc::exchange,
        "{}: this process has {}; an object of one is not valid in the other; install packages of "
        "one version",
        who, list);
  fine_at = mapped.adds;
}

std::uintptr_t pointer_in(std::string_view who, nb::handle capsule, const char* name) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (!pointer) PyErr_Clear();
  check(pointer != nullptr, Errc::exchange, "{}: the capsule '{}' is empty", who, name);
  return reinterpret_cast<std::uintptr_t>(pointer);
}

SyclObject from_queue(std::string_view who, std::uintptr_t address) {
  SyclObject found;
  found.queue = sycl_queue_at(who, address);
  found.context = found.queue->context;
  return found;
}

SyclObject from_capsule(std::string_view who, nb::handle capsule) {
  const char* given = PyCapsule_GetName(capsule.ptr());
  if (!given) PyErr_Clear();
  const std::string_view name = given ? given : "";
  if (name == queue_name) return from_queue(who, pointer_in(who, capsule, queue_name));
  check(name != used_queue_name && name != used_context_name, Errc::exchange,
        "{}: the capsule '{}' has been used by another consumer; get a new one from its producer",
        who, name);
  check(name == context_name, Errc::exchange,
        "{}: the capsule is named '{}'; expected '{}' or '{}'", who, name, queue_name,
        context_name);
  Backend& sycl = sycl_backend();
  check_only_one_sycl(who);
  return {nullptr, sycl.adopt_context(pointer_in(who, capsule, context_name))};
}

SyclObject from_selector(std::string_view who, const std::string& selector) {
  Backend& sycl = sycl_backend();
  try {
    const Unblocked unblocked;
    return {nullptr, sycl.default_context(sycl.find_device(selector))};
  } catch (const Error& error) {
    fail(Errc::exchange, "{}: the filter selector '{}' finds nothing: {}", who, selector,
         error.text());
  }
}

SyclObject from_address(std::string_view who, nb::handle number) {
  const unsigned long long address = PyLong_AsUnsignedLongLong(number.ptr());
  const bool fits = !PyErr_Occurred();
  PyErr_Clear();
  check(fits && address, Errc::exchange, "{}: {} is not the address of a sycl::queue", who,
        nb::cast<std::string>(nb::str(number)));
  sycl_backend().check_queue(address);
  return from_queue(who, address);
}

template <void (Backend::*drop)(std::uintptr_t) noexcept>
void end_capsule(PyObject* capsule) {
  const char* name = PyCapsule_GetName(capsule);
  void* pointer = PyCapsule_GetPointer(capsule, name);
  // consumers rename and copy; whatever the name, what it carries is still the capsule's
  (backend("sycl").*drop)(reinterpret_cast<std::uintptr_t>(pointer));
}

/// Gives the handle to the capsule; `drop` if there is none.
template <void (Backend::*drop)(std::uintptr_t) noexcept>
nb::object make_capsule(std::uintptr_t handle, const char* name) {
  const nb::object capsule =
      nb::steal(PyCapsule_New(reinterpret_cast<void*>(handle), name, end_capsule<drop>));
  if (capsule) return capsule;
  (backend("sycl").*drop)(handle);
  throw nb::python_error();
}

void require_sycl(const Device& device) {
  check(device.backend() == "sycl", Errc::exchange, "_get_capsule: {} is not SYCL's", device);
}

}  // namespace

SyclObject sycl_object_of(std::string_view who, nb::handle object) {
  if (const Ref<BackendQueue> queue = as_queue(object)) {
    require_sycl(queue->context->device);
    return {queue, queue->context};
  }
  if (const Ref<BackendContext> context = as_context(object)) {
    require_sycl(context->device);
    return {nullptr, context};
  }
  if (PyCapsule_CheckExact(object.ptr())) return from_capsule(who, object);
  if (PyUnicode_Check(object.ptr())) return from_selector(who, utf8_of(object));
  if (PyLong_Check(object.ptr()) && !PyBool_Check(object.ptr())) return from_address(who, object);
  const nb::object method = PyType_Check(object.ptr())
                                ? nb::object()
                                : nb::steal(find_attribute(object.ptr(), "_get_capsule"_name));
  clear_answer();
  check(method.is_valid(), Errc::exchange,
        "{}: expected a SYCL queue or context, a capsule of one, an object with _get_capsule(), a "
        "filter selector or an address, not {}",
        who, found_as(object));
  const nb::object capsule = method();
  check(PyCapsule_CheckExact(capsule.ptr()), Errc::exchange,
        "{}: _get_capsule() of {} returned {}, not a capsule", who, found_as(object),
        found_as(capsule));
  return from_capsule(who, capsule);
}

Ref<BackendQueue> sycl_queue_of(std::string_view who, nb::handle object) {
  SyclObject found = sycl_object_of(who, object);
  check(bool(found.queue), Errc::exchange, "{}: {} is a context; pass a queue", who,
        found_as(object));
  return std::move(found.queue);
}

Ref<BackendQueue> sycl_queue_at(std::string_view who, std::uintptr_t address) {
  Backend& sycl = sycl_backend();
  check_only_one_sycl(who);
  return sycl.adopt_queue(address);
}

nb::object sycl_capsule_of(BackendQueue& queue) {
  require_sycl(queue.context->device);
  return make_capsule<&Backend::drop_queue>(backend("sycl").export_queue(queue), queue_name);
}

nb::object sycl_capsule_of(BackendContext& context) {
  require_sycl(context.device);
  return make_capsule<&Backend::drop_context>(backend("sycl").export_context(context),
                                              context_name);
}

}  // namespace isthmus::python
