// indices.cpp: arrays of indices and masks, as users give them.
#include "python/src/object/indices.h"

#include <nanobind/stl/string.h>

#include <vector>

#include "isthmus/array/create/create.h"
#include "isthmus/array/place.h"
#include "python/src/object/arguments.h"
#include "python/src/object/name.h"
#include "python/src/peers/ndarray.h"
#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

/// A bool of Python or NumPy; nothing for another object.
std::optional<bool> truth_of(PyObject* object) {
  if (PyBool_Check(object)) return object == Py_True;
  const bool is_foreign = PyLong_Check(object) || is_array(object) || as_ndarray(object);
  if (is_foreign || !PyObject_HasAttrString(object, "dtype")) return {};
  static PyObject* const type =
      nb::object(nb::module_::import_("numpy").attr("bool_")).release().ptr();
  if (Py_TYPE(object) != reinterpret_cast<PyTypeObject*>(type)) return {};
  return PyObject_IsTrue(object) == 1;
}

/// Whether an array of NumPy's objects has ints alone, one of which no dtype of integers holds.
bool are_large_ints(const nb::object& elements) {
  bool is_any_large = false;
  for (const nb::handle one : elements.attr("flat")) {
    if (!PyLong_Check(one.ptr())) return false;
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(one.ptr(), &overflow);
    is_any_large |= overflow != 0;
  }
  return is_any_large;
}

/// What an array of NumPy that is no index has.
std::string name_of(const nb::object& elements, const std::string& kind) {
  if (kind == "f" || kind == "c") return utf8_of(nb::str(nb::handle(elements.attr("dtype"))));
  if (kind != "O") return "other objects";
  return are_large_ints(elements) ? "ints beyond 64 bits" : "Python objects";
}

/// An array of NumPy where x is, with the byte order of this machine. Throws index for what is no
/// index of x[...], and type where masks are none either, as the functions that take indices do.
Array brought(const char* who, nb::object elements, const Array& x, bool takes_masks) {
  const nb::object dtype = elements.attr("dtype");
  const std::string kind = nb::cast<std::string>(dtype.attr("kind"));
  if (kind != "b" && kind != "i" && kind != "u") {
    const std::string name = name_of(elements, kind);
    check(takes_masks || name == "ints beyond 64 bits", Errc::type,
          "{}: indices are {}; expected integers", who, name);
    fail(Errc::index, "{}: an array of {} is not an index; use integers or bools", who, name);
  }
  if (!nb::cast<bool>(dtype.attr("isnative")))
    elements = elements.attr("astype")(dtype.attr("newbyteorder")("="));
  const nb::object found = nb::module_::import_("isthmus").attr("asarray")(
      elements, nb::arg("device") = nb::cast(x.device()));
  return array_of(found.ptr());
}

/// A list or tuple of Python's ints, on the host; nothing for another one, which NumPy reads.
std::optional<Array> integers_in(PyObject* list) {
  const bool is_sequence = PyList_CheckExact(list) || PyTuple_CheckExact(list);
  const Py_ssize_t count = is_sequence ? PySequence_Fast_GET_SIZE(list) : 0;
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const one = PySequence_Fast_GET_ITEM(list, i);
    int overflow = 1;
    if (PyLong_CheckExact(one))
      numbers[static_cast<std::size_t>(i)] = PyLong_AsLongLongAndOverflow(one, &overflow);
    if (overflow) return {};
  }
  if (!count) return {};
  return Array(std::move(numbers));
}

/// A list as an array of NumPy.
nb::object elements_of(const char* who, PyObject* list) {
  try {
    return nb::module_::import_("numpy").attr("asarray")(nb::handle(list));
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ValueError)) throw;
    fail(Errc::value, "{}: {} whose parts have different lengths is not an index", who,
         found_as(list));
  }
}

}  // namespace

std::optional<Array> indices_of(const char* who, PyObject* object, const Array& x,
                                bool takes_masks) {
  if (is_array(object)) return array_of(object);
  if (PyLong_CheckExact(object)) return {};
  const InContextOf meanwhile(x);
  if (const auto truth = truth_of(object)) return full({}, *truth, {}, x.device());
  if (as_ndarray(object)) return brought(who, nb::borrow(object), x, takes_masks);
  if (x.device().is_host())  // elsewhere a copy could still be under way when they are looked at
    if (auto integers = integers_in(object)) return integers;
  if (PyList_Check(object) || PyTuple_Check(object) || PyRange_Check(object)) {
    const nb::module_ numpy = nb::module_::import_("numpy");
    nb::object elements = elements_of(who, object);
    // an empty list has no dtype of its own
    if (nb::cast<std::int64_t>(elements.attr("size")) == 0)
      elements = elements.attr("astype")(numpy.attr("int64"));
    return brought(who, std::move(elements), x, takes_masks);
  }
  const bool is_text =
      PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object);
  // arrays of other libraries have __index__, too
  const bool is_number = PyIndex_Check(object) && !has_attribute(object, "__dlpack__"_name);
  if (is_number || is_text || !speaks_any(object)) return {};
  const nb::object found = nb::module_::import_("isthmus").attr("asarray")(nb::handle(object));
  return array_of(found.ptr());
}

Array require_indices(const char* who, PyObject* object, const Array& x) {
  if (auto indices = indices_of(who, object, x, false)) return std::move(*indices);
  check(PyIndex_Check(object), Errc::type,
        "{}: {} is not an index; use an integer or an array of integers", who, found_as(object));
  const InContextOf meanwhile(x);
  const nb::object number = nb::steal(PyNumber_Index(object));
  if (!number) throw nb::python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  check(!overflow, Errc::index, "{}: an integer beyond 64 bits is out of bounds for every axis",
        who);
  return full({}, static_cast<std::int64_t>(value), {}, x.device());
}

}  // namespace isthmus::python
