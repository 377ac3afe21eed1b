// bind_errors.cpp: Errc as Python exception classes, and interrupts as Errc.
#include <nanobind/stl/string.h>

#include <array>
#include <cstring>
#include <new>
#include <stdexcept>

#include "isthmus/base/environment.h"
#include "isthmus/base/file_error.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/interrupts.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/context.h"
#include "python/src/object/gil.h"

namespace isthmus::python {

using detail::format;

namespace {

PyObject* error_class = nullptr;      // isthmus.Error
std::array<PyObject*, 20> classes{};  // by Errc
unsigned long main_thread = 0;

/// What the signal's handler raised, on its way through C++. The main thread's own.
struct Raised {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
};
Raised interrupt;

void add(nb::module_& m, Errc code, const char* name, PyObject* builtin, const char* doc,
         PyObject* base = nullptr) {
  const std::string full = std::string("isthmus.") + name;
  const nb::object bases =
      nb::steal(base == builtin ? PyTuple_Pack(1, base)
                                : PyTuple_Pack(2, base ? base : error_class, builtin));
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr);
  if (!made) throw nb::python_error();
  const char* const dot = std::strrchr(name, '.');
  m.attr(dot ? dot + 1 : name) = nb::borrow(made);
  classes[static_cast<std::size_t>(code)] = made;  // lives as long as the process
}

/// All of a text, whatever a user's part of it has: NULs, bytes that are no UTF-8.
nb::object text_object(std::string_view text) {
  const auto length = static_cast<Py_ssize_t>(text.size());
  nb::object object = nb::steal(PyUnicode_DecodeUTF8(text.data(), length, "replace"));
  if (!object) throw nb::python_error();
  return object;
}

void set_error(Errc code, std::string_view text) {
  if (code == Errc::interrupted) {
    PyErr_Restore(interrupt.type, interrupt.value, interrupt.trace);
    interrupt = {};
    return;
  }
  try {
    PyErr_SetObject(classes[static_cast<std::size_t>(code)], text_object(text).ptr());
  } catch (nb::python_error& second) {
    second.restore();
  }
}

/// As Python makes an OSError of a call of the system: its strerror is our text.
void set_error(const SystemFileError& error) {
  try {
    const nb::handle type(classes[static_cast<std::size_t>(error.code())]);
    const auto length = static_cast<Py_ssize_t>(error.path().size());
    const nb::object path =
        nb::steal(PyUnicode_DecodeFSDefaultAndSize(error.path().data(), length));
    if (!path) throw nb::python_error();
    PyErr_SetObject(type.ptr(), type(error.number(), text_object(error.text()), path).ptr());
  } catch (nb::python_error& second) {
    second.restore();
  }
}

/// A CompileError with what is known of the kernel.
void set_error(const Error& error) {
  if (const auto* of_file = dynamic_cast<const SystemFileError*>(&error))
    return set_error(*of_file);
  const auto& details = error.compile_details();
  if (!details) return set_error(error.code(), error.text());
  try {
    const nb::handle type(classes[static_cast<std::size_t>(error.code())]);
    const nb::object raised = type(text_object(error.text()));
    raised.attr("source") = details->source;
    raised.attr("log") = text_object(details->log);
    raised.attr("device") = details->device;
    raised.attr("key") = details->key;
    PyErr_SetObject(type.ptr(), raised.ptr());
  } catch (nb::python_error& second) {
    second.restore();
  }
}

/// Python runs handlers of signals in the main thread alone.
bool is_main_thread() { return PyThread_get_thread_ident() == main_thread && !is_finalizing(); }

/// Lets a signal's handler run. Its exception stays set for set_error.
void poll() {
  if (!is_main_thread()) return;
  const bool wants_to_stop = with_gil([] {
    if (PyErr_CheckSignals() == 0) return false;
    PyErr_Fetch(&interrupt.type, &interrupt.value, &interrupt.trace);
    return true;
  });
  if (!wants_to_stop) return;
  fail(Errc::interrupted,
       "evaluate: interrupted; operations that had not started are pending again");
}

/// The thread that ends the interpreter keeps the GIL: it alone may run, and could not take it
/// again.
void* release_gil() {
  if (!has_gil() || is_finalizing()) return nullptr;
  note_queues_here();
  return PyEval_SaveThread();
}
void take_gil(void* state) {
  try {
    if (!is_finalizing()) {
      PyEval_RestoreThread(static_cast<PyThreadState*>(state));
      return forget_queues_here();
    }
  } catch (abi::__forced_unwind&) {
    sleep_for_ever();  // the end began while it waited
  }
  sleep_for_ever();
}

/// "file.py:12", the innermost line of Python that runs.
std::string trace_python() {
  if (!has_gil()) return {};
  PyFrameObject* frame = PyEval_GetFrame();
  if (!frame) return {};
  const nb::object code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  return format("{}:{}", utf8_of(code.attr("co_filename")), PyFrame_GetLineNumber(frame));
}

}  // namespace

/// Of a foreign object whose attribute is of another type than the attribute has elsewhere.
static void set_wrong_attribute() noexcept {
  if (PyErr_Occurred()) return;  // why it could not be converted
  PyErr_SetString(PyExc_TypeError, "an attribute of an argument has an unexpected type");
}

void set_python_error() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    set_error(error);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    set_error(Errc::out_of_memory, "the host has no memory left");
  } catch (const nb::cast_error&) {
    set_wrong_attribute();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

void bind_errors(nb::module_& m) {
  error_class = PyErr_NewExceptionWithDoc("isthmus.Error", "Base of the errors of Isthmus.",
                                          PyExc_Exception, nullptr);
  if (!error_class) throw nb::python_error();
  m.attr("Error") = nb::borrow(error_class);
  const auto plain = [](Errc code, PyObject* builtin) {
    classes[static_cast<std::size_t>(code)] = builtin;
  };
  plain(Errc::type, PyExc_TypeError);
  plain(Errc::value, PyExc_ValueError);
  plain(Errc::index, PyExc_IndexError);
  plain(Errc::overflow, PyExc_OverflowError);
  plain(Errc::unsupported, PyExc_NotImplementedError);
  add(m, Errc::promotion, "PromotionError", PyExc_TypeError, "Dtypes without a common dtype.");
  add(m, Errc::device_mismatch, "DeviceMismatchError", PyExc_ValueError,
      "Operands on different devices or in different contexts.");
  add(m, Errc::device_not_found, "DeviceNotFoundError", PyExc_LookupError,
      "The device does not exist.");
  add(m, Errc::backend_unavailable, "BackendUnavailableError", PyExc_ImportError,
      "A backend that is not available here, with the reason.");
  add(m, Errc::exchange, "ExchangeError", PyExc_BufferError,
      "Memory that cannot be shared as requested.");
  add(m, Errc::copy_refused, "CopyRefusedError", PyExc_ValueError,
      "copy=False, but a copy is needed.", classes[static_cast<std::size_t>(Errc::exchange)]);
  add(m, Errc::implicit_host_copy, "ImplicitHostCopyError", PyExc_TypeError,
      "Implicit access to device memory from the host; x.to_numpy() copies it.");
  add(m, Errc::out_of_memory, "OutOfMemoryError", PyExc_MemoryError,
      "A device, or the host, is out of memory.");
  add(m, Errc::compile, "CompileError", PyExc_RuntimeError,
      "A kernel that failed to build.\n\n"
      "`source` is its code, `log` the output of the compiler, `device` the device, and `key` the "
      "name of its files in the cache and in ISTHMUS_DUMP.");
  const nb::object numpys = nb::module_::import_("numpy").attr("linalg").attr("LinAlgError");
  nb::module_ linalg = m.def_submodule("_linalg");
  add(linalg, Errc::linalg, "linalg.LinAlgError", numpys.ptr(),
      "A matrix that is singular, not positive definite, or does not converge; also an instance of "
      "numpy.linalg.LinAlgError, which is a ValueError.");
  const nb::handle compile(classes[static_cast<std::size_t>(Errc::compile)]);
  for (const char* name : {"source", "log", "device", "key"})
    nb::setattr(compile, name, nb::str(""));
  add(m, Errc::launch, "LaunchError", PyExc_RuntimeError,
      "A driver refused a call, or work on a device failed.");
  add(m, Errc::file, "FileError", PyExc_OSError,
      "A file that could not be opened, read or written.");
  // the text alone: it has the path, and the system's words for the number
  const nb::object file_class = nb::borrow(classes[static_cast<std::size_t>(Errc::file)]);
  file_class.attr("__str__") = nb::cpp_function(
      [](nb::handle self) {
        const nb::object text = self.attr("strerror");
        return text.is_none() ? nb::handle(PyExc_Exception).attr("__str__")(self) : text;
      },
      nb::is_method(), nb::name("__str__"), nb::scope(file_class),
      nb::sig("def __str__(self) -> str"));
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const Error& e) {
      set_error(e);
    } catch (const nb::cast_error&) {
      set_wrong_attribute();
    }
  });
  main_thread = PyThread_get_thread_ident();
  set_interrupts({poll, is_main_thread});
  if (choose("ISTHMUS_TRACE", {"0", "1"}) == 1) set_trace_hook(trace_python);
  set_blocking_hooks({release_gil, take_gil});
}

}  // namespace isthmus::python
