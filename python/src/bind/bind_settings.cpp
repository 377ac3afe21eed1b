// bind_settings.cpp: what isthmus.config and the environment set.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "isthmus/base/environment.h"
#include "isthmus/base/log.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/kernels/compiling.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/runtime/libraries/vendor.h"
#include "isthmus/runtime/observe/progress.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/threads/executor.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"
#include "python/src/object/gil.h"

namespace isthmus::python {

namespace {

PyObject* on_build = nullptr;  // what config.on_build calls; under the GIL

/// Called by the core's thread that watches builds.
void tell_of_build(int done, int total, const char* device) {
  if (is_finalizing()) return;
  with_gil([&] {
    if (!on_build) return;
    PyObject* result = PyObject_CallFunction(on_build, "iis", done, total, device);
    result ? Py_DECREF(result) : PyErr_WriteUnraisable(on_build);
  });
}

void set_on_build(nb::object callback) {
  const bool is_set = !callback.is_none();
  PyObject* old = std::exchange(on_build, is_set ? callback.release().ptr() : nullptr);
  set_build_hook(is_set ? tell_of_build : nullptr);
  Py_XDECREF(old);
}

/// nanobind's classes of functions take no attributes from Python, and inspect.signature() asks
/// for this one.
void add_signatures(nb::handle function, nb::handle property) {
  PyTypeObject* type = Py_TYPE(function.ptr());
#if PY_VERSION_HEX >= 0x030C0000
  const nb::object members = nb::steal(PyType_GetDict(type));
#else
  const nb::object members = nb::borrow(type->tp_dict);
#endif
  if (PyDict_SetItemString(members.ptr(), "__signature__", property.ptr()))
    throw nb::python_error();
  PyType_Modified(type);
}

void check_settings() {
  choose("ISTHMUS_CACHE", {"1", "0", "ro"});
  choose("ISTHMUS_PROGRESS", {"auto", "0", "1"});
  cache_limit();
  if (!variable("ISTHMUS_CACHE_DIR").empty()) cache_folder();
  is_backend_wanted("cpu");
  if (!variable("ISTHMUS_BLAS").empty()) blas_setting();
}

void bind_variables(nb::module_& m) {
  m.def(
      "_variable", [](const std::string& name) { return variable(name); },
      nb::sig("def _variable(name: str, /) -> str"));
  m.def(
      "_set_variable",
      [](const std::string& name, const std::string& value) { set_variable(name, value); },
      nb::sig("def _set_variable(name: str, value: str, /) -> None"));
  m.def("_backend_names", &backend_names, nb::sig("def _backend_names() -> list[str]"),
        "Those for users.");
  m.def(
      "_has_backend", [](const std::string& name) { return has_backend(name); },
      nb::sig("def _has_backend(name: str, /) -> bool"), "Whether this package has its module.");
  m.def("_warn_of_setting", &warn_of_setting,
        nb::sig("def _warn_of_setting(text: str, /) -> None"));
  m.def("_check_settings", &check_settings, nb::sig("def _check_settings() -> None"),
        "Says now what is wrong with variables that are read later.");
  m.def("_set_log_file", &set_log_file, nb::sig("def _set_log_file(name: str, /) -> None"));
  m.def("_set_on_build", &set_on_build, nb::arg("callback").none(),
        nb::sig("def _set_on_build(callback: object, /) -> None"));
  m.def("_add_signatures", &add_signatures,
        nb::sig("def _add_signatures(function: object, signature: property, /) -> None"));
}

}  // namespace

void bind_settings(nb::module_& m) {
  bind_variables(m);
  m.def(
      "_set_up_runtimes",
      [](const std::vector<std::string>& folders) {
        for (const std::string& folder : folders) add_vendor_folder(folder);
        set_up_vendor_runtimes();
      },
      nb::sig("def _set_up_runtimes(folders: list[str], /) -> None"),
      "Where wheels put libraries; and makes OpenCL loaders find Intel's. Calls no driver.");
  m.def(
      "_end_compiling",
      [] {
        const Unblocked unblocked;
        end_compiling();
      },
      nb::sig("def _end_compiling() -> None"),
      "Waits for the drivers' compilers, which no other thread calls from now on.");
  m.def(
      "_default_device", [] { return device_of(nb::none()); },
      nb::sig("def _default_device() -> Device"), "Of this context: that of `with device:` too.");
  m.def(
      "_set_default_device", [](nb::handle d) { set_default_device(device_of(d)); },
      nb::sig("def _set_default_device(device: Device | str, /) -> None"));
  m.def(
      "_inline",
      [] {
        constexpr const char* names[] = {"0", "1", "auto"};
        return std::string(names[static_cast<int>(inline_policy())]);
      },
      nb::sig("def _inline() -> str"));
  m.def(
      "_set_inline",
      [](const std::string& text) {
        check(text == "0" || text == "1" || text == "auto", Errc::value,
              "inline: '{}' is none of 0, 1, auto", text);
        set_inline_policy(text == "0"   ? Inline::never
                          : text == "1" ? Inline::always
                                        : Inline::automatic);
      },
      nb::sig("def _set_inline(policy: str, /) -> None"));
  m.def("_blas_library", [] { return blas_library(); }, nb::sig("def _blas_library() -> str"));
  m.def(
      "_blas_library_of", [](nb::handle device) { return blas_library(device_of(device)); },
      nb::sig("def _blas_library_of(device: Device | str, /) -> str"),
      "The device vendor's library for matrix products; empty if there is none.");
  m.def("_blas_setting", &blas_setting, nb::sig("def _blas_setting() -> str"));
  m.def(
      "_set_blas", [](const std::string& wanted) { set_blas(wanted); },
      nb::sig("def _set_blas(wanted: str, /) -> None"));
  m.def("_eager", &is_eager, nb::sig("def _eager() -> bool"));
  m.def("_set_eager", &set_eager, nb::sig("def _set_eager(eager: bool, /) -> None"));
  m.def("_num_threads", &thread_count, nb::sig("def _num_threads() -> int"));
  m.def("_set_num_threads", &set_thread_count,
        nb::sig("def _set_num_threads(count: int, /) -> None"));
  m.def(
      "_instruction_set", [] { return std::string(host::instruction_set()); },
      nb::sig("def _instruction_set() -> str"));
}

}  // namespace isthmus::python
