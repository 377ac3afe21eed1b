// array_method.cpp: __array__, with NumPy 2's meaning of copy; and objects that have it.
#include <nanobind/stl/string.h>

#include "isthmus/runtime/evaluate/evaluate.h"
#include "python/src/object/arguments.h"
#include "python/src/object/name.h"
#include "python/src/peers/ndarray.h"
#include "python/src/protocol.h"

namespace isthmus::python {

using detail::format;

extern const Protocol ndarray, array_interface;

namespace {

/// What no buffer has words for, or not all: its bytes go, and NumPy is told what they are.
nb::object view_of_bytes(const Array& array) {
  array.eval();
  const Layout& layout = array.layout();
  const Extent extent = extent_of(layout);
  const std::int64_t item = array.dtype().bytes();
  const std::int64_t length = (extent.end - extent.begin) * item;
  Layout bytes = row_major({&length, 1});
  bytes.offset = extent.begin * item;
  const nb::object plain = nb::steal(wrap(from_view(
      {array.storage()->memory(), TypeId::uint8, std::move(bytes), array.is_read_only()})));
  const nb::object view = nb::steal(PyMemoryView_FromObject(plain.ptr()));
  if (!view) throw nb::python_error();
  const Dims byte_strides = byte_strides_of(array);
  const nb::module_ numpy = nb::module_::import_("numpy");
  // an ndarray as base, which holds the buffer; of a memoryview the constructor would let it go
  return numpy.attr("ndarray")(tuple_of({layout.shape.begin(), layout.shape.end()}),
                               nb::handle(dtype_object(array.dtype())), numpy.attr("asarray")(view),
                               (layout.offset - extent.begin) * item,
                               tuple_of({byte_strides.begin(), byte_strides.end()}));
}

nb::object numpy_view(PyObject* self) {
  const Array& array = array_of(self);
  if (array.dtype().record || array.dtype() == DType(TypeId::bfloat16)) return view_of_bytes(array);
  const nb::object view = nb::steal(PyMemoryView_FromObject(self));
  if (!view) throw nb::python_error();
  return nb::module_::import_("numpy").attr("asarray")(view);
}

/// A copy from memory that the host cannot reach, if the user lets such happen unasked.
nb::object copied(const Array& array, PyObject* copy) {
  check(copy != Py_False, Errc::copy_refused,
        "__array__: copy=False, but the host cannot access memory of {}", array.device());
  nb::module_::import_("isthmus._host_copies")
      .attr("permit")(to_string(array.device()), array.size() * array.dtype().bytes());
  const nb::object host = nb::steal(wrap(to_device(array, Device())));
  return numpy_view(host.ptr());
}

PyObject* dunder_array(PyObject* self, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  static const Keywords<2> keywords({"dtype", "copy"});
  return guarded([&] {
    check(given <= 1, Errc::type, "__array__: takes one positional argument, not {}", given);
    auto [dtype, copy] = keywords.values("__array__", args, given, given, names);
    check(!dtype || given == 0, Errc::type, "__array__: dtype was given twice");
    if (given == 1) dtype = args[0];
    const Array& array = array_of(self);
    nb::object shown = is_host_reachable(array) ? numpy_view(self) : copied(array, copy);
    const bool changes_dtype =
        dtype && dtype != Py_None &&
        !shown.attr("dtype").equal(nb::module_::import_("numpy").attr("dtype")(nb::handle(dtype)));
    if (changes_dtype) {
      check(copy != Py_False, Errc::copy_refused,
            "__array__: copy: {} can become another dtype only by a copy", array.dtype());
      shown = shown.attr("astype")(nb::handle(dtype));
    } else if (copy && copy != Py_None && copy != Py_False) {
      shown = shown.attr("copy")(nb::str("K"));
    }
    return shown.release().ptr();
  });
}

const PyMethodDef methods[] = {
    {"__array__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(dunder_array)),
     METH_FASTCALL | METH_KEYWORDS,
     "__array__($self, dtype=None, *, copy=None)\n"
     "--\n\n"
     "The array as a numpy.ndarray.\n\n"
     "Returns: a view of the same memory, read-only if the array is; a copy if copy=True or\n"
     "for another dtype.\n"
     "Waits: for its value and all work on its memory.\n"
     "Raises: ImplicitHostCopyError if the host cannot access the memory, unless\n"
     "isthmus.implicit_host_copy allows the copy; ValueError for copy=False with another\n"
     "dtype.\n"
     "Source: NumPy 2."},
    {nullptr, nullptr, 0, nullptr}};

bool speaks(nb::handle object) { return has_attribute(object.ptr(), "__array__"_name); }

/// Asked with copy=False where that was asked of us; what does not know the keyword might copy.
nb::object ask(nb::handle object, const ImportRequest& request) {
  if (request.copy != false) return object.attr("__array__")();
  try {
    return object.attr("__array__")(nb::arg("copy") = false);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    fail(Errc::copy_refused, "__array__: copy: {} does not promise a view", found_as(object));
  }
}

/// A copy that the object made cannot be told from a view, so that this protocol is asked last.
Array import_array(nb::handle object, const ImportRequest& request) {
  const nb::object shown = ask(object, request);
  const nb::module_ numpy = nb::module_::import_("numpy");
  check(nb::isinstance(shown, numpy.attr("ndarray")), Errc::type,
        "__array__: returned {}, not a numpy.ndarray", found_as(shown));
  const Protocol& protocol = as_ndarray(shown.ptr()) ? ndarray : array_interface;
  return protocol.import_array(shown, {request.copy, {}, false});
}

Explanation explain_export(const Array& array) {
  if (is_host_reachable(array))
    return {Explanation::Verdict::zero_copy, array.is_read_only() ? "read-only" : ""};
  return {Explanation::Verdict::impossible,
          format("the host cannot access memory of {}", array.device())};
}

}  // namespace

extern const Protocol array_method;
const Protocol array_method = {"array_method", 50,      speaks,  import_array,  methods,
                               nullptr,        nullptr, nullptr, explain_export};

}  // namespace isthmus::python
