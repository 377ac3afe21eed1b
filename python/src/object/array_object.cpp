// array_object.cpp: conversions between Python objects and what the core speaks.
#include "python/src/object/array_object.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <string_view>

#include "isthmus/array/infer/dtypes.h"
#include "isthmus/exchange/share.h"
#include "isthmus/runtime/devices/registry.h"
#include "python/src/object/arguments.h"
#include "python/src/object/garbage.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/foreign_errors.h"
#include "python/src/peers/ndarray.h"
#include "python/src/protocol.h"

namespace isthmus::python {

PyTypeObject* array_type = nullptr;

namespace {

/// The module of the object's class; nothing for those of Python itself.
std::string module_of(PyObject* object) {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  const nb::object module = nb::steal(PyObject_GetAttrString(type.ptr(), "__module__"));
  clear_answer();
  const bool is_text = module && PyUnicode_Check(module.ptr());
  const std::string found = is_text ? utf8_of(module) : "";
  return found == "builtins" ? "" : found;
}

}  // namespace

std::string utf8_of(nb::handle str) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(str.ptr(), "utf-8", "backslashreplace"));
  if (!bytes) throw nb::python_error();
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

bool is_of_neighbour(PyObject* object) {
  const std::string module = module_of(object);
  const std::string_view package = std::string_view(module).substr(0, module.find('.'));
  constexpr std::string_view neighbours[] = {"cupy",   "dpctl",    "dpnp", "jax",
                                             "jaxlib", "pyopencl", "torch"};
  return std::ranges::find(neighbours, package) != std::end(neighbours);
}

std::string to_string(const FoundAs& found) {
  if (found.object == Py_None) return "None";
  if (PyLong_CheckExact(found.object)) {
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(found.object, &overflow);
    if (overflow != 0) return "an int beyond 64 bits";
  }
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(found.object)));
  const nb::object name = nb::steal(PyObject_GetAttrString(type.ptr(), "__qualname__"));
  clear_answer();
  std::string text = module_of(found.object);
  if (!text.empty()) text += '.';
  text += name && PyUnicode_Check(name.ptr()) ? utf8_of(name)
                                              : std::string(Py_TYPE(found.object)->tp_name);
  const bool is_vowel = std::string_view("aeiouAEIOU").find(text.front()) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + text;
}

/// Whether asarray() takes it. Of NumPy's own objects and sequences that depends on what is in
/// them; others that speak a protocol are not asked. Of a long list the first elements tell.
static bool is_taken(PyObject* object) {
  constexpr Py_ssize_t most = 64;
  if (PyRange_Check(object)) return true;
  if (PyList_Check(object) || PyTuple_Check(object)) {
    if (PySequence_Size(object) > most) {
      const nb::object some = nb::steal(PySequence_GetSlice(object, 0, most));
      if (!some) throw nb::python_error();
      return is_taken(some.ptr());
    }
  } else if (PySequence_Check(object) && PySequence_Size(object) > most) {
    return false;  // all of it would be read
  }
  if (PyErr_Occurred()) PyErr_Clear();  // a length that raises
  const std::string module = module_of(object);
  const bool is_numpys = std::string_view(module).starts_with("numpy");
  if (!is_numpys && speaks_any(object)) return true;
  if (!PySequence_Check(object) && !PyNumber_Check(object)) return false;
  try {
    nb::module_::import_("isthmus").attr("asarray")(nb::handle(object), nb::arg("device") = "cpu");
    return true;
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;  // an interrupt
    return false;
  }
}

std::string to_string(const Advice& advice) {
  PyObject* const object = advice.object;
  if (is_taken(object)) return "; convert it with isthmus.asarray";
  if (PyAnySet_Check(object)) return "; convert a list of its elements with isthmus.asarray";
  const bool is_number = PyNumber_Check(object) && !PySequence_Check(object);
  return is_number && !speaks_any(object) ? "; convert it with float()" : "";
}

void ArrayObject::end_shows() {
  if (shows == 0) return;
  if (const auto ended = std::move(shown); ended && !is_finalizing())
    for (const Ref<BackendQueue>& queue : ended->queues)
      end_export(*array.storage()->memory(), {queue});
  std::lock_guard lock(graph_lock());
  array.storage()->memory()->activity().exports -= std::exchange(shows, 0);
}

[[gnu::hot]] PyObject* wrap(Array array) {
  nb::object object = nb::inst_alloc(reinterpret_cast<PyObject*>(array_type));
  auto* made = new (nb::inst_ptr<ArrayObject>(object)) ArrayObject(std::move(array));
  nb::inst_mark_ready(object);
  note_first(*made, object.ptr());
  return object.release().ptr();
}

namespace {

/// A Python int as 64 bits; nothing past both ranges.
std::optional<Scalar> scalar_of_int(PyObject* object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow == 0) {
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return Scalar::of(static_cast<std::int64_t>(value));
  }
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
  if (overflow < 0 || PyErr_Occurred()) {
    PyErr_Clear();
    return {};
  }
  return Scalar::of(static_cast<std::uint64_t>(large));
}

Value value_of_int(PyObject* object) {
  if (const auto scalar = scalar_of_int(object)) return Value(*scalar, true);
  const double number = PyLong_AsDouble(object);
  if (!PyErr_Occurred()) return Value::past_64_bits(number);
  PyErr_Clear();  // past the doubles: only its sign counts
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(object, &overflow);
  return Value::past_64_bits(overflow * std::numeric_limits<double>::infinity());
}

/// A NumPy scalar or a 0-d ndarray: its dtype counts.
std::optional<Value> numpy_scalar(PyObject* object) {
  static PyObject* const generic =
      nb::object(nb::module_::import_("numpy").attr("generic")).release().ptr();
  const Ndarray* const array = as_ndarray(object);
  const int is_generic = array ? array->ndim == 0 : PyObject_IsInstance(object, generic);
  if (is_generic < 0) throw nb::python_error();
  if (!is_generic) return {};
  const nb::handle scalar(object);
  const DType dtype = dtype_of(scalar.attr("dtype"));
  if (!dtype.is_builtin()) return {};
  static constinit ForeignClass masked("numpy.ma", "MaskedArray");
  const int is_masked =
      array && masked.has(scalar) ? PyObject_IsTrue(scalar.attr("mask").ptr()) : 0;
  if (is_masked < 0) throw nb::python_error();
  check(!is_masked, Errc::exchange, "{}: mask: a masked element has no value; x.filled() has one",
        found_as(object));
  const nb::object bytes = scalar.attr("tobytes")();
  char* data = nullptr;
  Py_ssize_t length = 0;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &length)) throw nb::python_error();
  check(length == dtype.bytes(), Errc::type, "{}: its dtype is {}, but tobytes() gives {} bytes",
        found_as(object), dtype, length);
  return Value(load(dtype, data), false);
}

}  // namespace

[[gnu::hot]] std::optional<Value> value_of(PyObject* object) {
  if (is_array(object)) return Value(array_of(object));
  if (PyBool_Check(object)) return Value(object == Py_True);
  if (PyLong_CheckExact(object)) return value_of_int(object);
  if (PyFloat_CheckExact(object)) return Value(PyFloat_AS_DOUBLE(object));
  if (PyComplex_CheckExact(object)) {
    const Py_complex z = PyComplex_AsCComplex(object);
    return Value(Complex<double>{z.real, z.imag});
  }
  if (auto scalar = numpy_scalar(object)) return scalar;
  if (PyLong_Check(object)) return value_of_int(object);
  if (PyFloat_Check(object)) return Value(PyFloat_AS_DOUBLE(object));
  return {};
}

[[gnu::hot]] Value require_value(const char* who, PyObject* object) {
  if (auto value = value_of(object)) return *value;
  fail(Errc::type, "{}: {} is neither an array nor a number{}", who, found_as(object),
       Advice{object});
}

std::vector<Value> values_of(const std::string& kernel, const nb::args& args) {
  std::vector<Value> values;
  values.reserve(args.size());
  for (const nb::handle one : args) {
    const auto value = value_of(one.ptr());
    // a text is made for an error alone
    values.push_back(
        value ? *value : require_value(detail::format("kernel '{}'", kernel).c_str(), one.ptr()));
  }
  return values;
}

[[gnu::hot]] const Array& require_array(const char* who, PyObject* object) {
  check(is_array(object), Errc::type, "{}: {} is not an isthmus.Array{}", who, found_as(object),
        Advice{object});
  return array_of(object);
}

nb::handle target_of(const char* who, nb::handle out) {
  const bool is_tuple = PyTuple_Check(out.ptr());
  const Py_ssize_t count = is_tuple ? PyTuple_GET_SIZE(out.ptr()) : 1;
  check(count == 1, Errc::type,
        "{}: out: a tuple of {}; expected an isthmus.Array or a tuple of one", who, count);
  const nb::handle target = is_tuple ? nb::handle(PyTuple_GET_ITEM(out.ptr(), 0)) : out;
  require_array(detail::format("{}: out", who).c_str(), target.ptr());
  return target;
}

/// `argument` is what has the int, for errors: "axis: ", or nothing where `who` says it.
static std::int64_t int_in(const char* who, const char* argument, nb::handle object) {
  check(PyIndex_Check(object.ptr()) && !PyBool_Check(object.ptr()), Errc::type,
        "{}: {}expected ints, not {}", who, argument, found_as(object));
  if (is_array(object.ptr())) {
    const DType dtype = array_of(object.ptr()).dtype();
    check(is_integer(dtype), Errc::type, "{}: {}expected ints, not an isthmus.Array of {}", who,
          argument, dtype);
  }
  const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index) throw nb::python_error();
  int overflow = 0;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  check(overflow == 0, Errc::value, "{}: {}an int beyond 64 bits", who, argument);
  return value;
}

std::int64_t int_of(const char* who, nb::handle object) { return int_in(who, "", object); }

bool is_int(nb::handle object) {
  if (!PyIndex_Check(object.ptr())) return false;
  if (nb::steal(PyNumber_Index(object.ptr()))) return true;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
  PyErr_Clear();
  return false;
}

static Dims dims_in(const char* who, const char* argument, nb::handle object) {
  Dims dims;
  const auto add = [&](PyObject* item) { dims.push_back(int_in(who, argument, item)); };
  check(!PyBool_Check(object.ptr()), Errc::type,
        "{}: {}expected an int or a sequence of ints, not a bool", who, argument);
  const bool is_ours = is_array(object.ptr()), has_axes = is_ours && array_of(object.ptr()).ndim();
  if (is_ours && !has_axes) return add(object.ptr()), dims;
  if (PyIndex_Check(object.ptr())) {
    const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
    if (index) return add(index.ptr()), dims;
    const bool has_items =
        (has_axes || PySequence_Check(object.ptr())) && PyErr_ExceptionMatches(PyExc_TypeError);
    if (!has_items) throw nb::python_error();
    PyErr_Clear();  // an array of several numbers, say
  }
  const nb::object items = nb::steal(PySequence_Fast(object.ptr(), ""));
  if (!items && !PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
  if (!items) PyErr_Clear();
  check(items && !PyUnicode_Check(object.ptr()), Errc::type,
        "{}: {}expected an int or a sequence of ints, not {}", who, argument, found_as(object));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i)
    add(PySequence_Fast_GET_ITEM(items.ptr(), i));
  return dims;
}

Dims dims_of(const char* who, nb::handle object) { return dims_in(who, "", object); }

std::optional<Dims> axes_of(const char* who, nb::handle object) {
  if (object.is_none()) return {};
  return dims_in(who, "axis: ", object);
}

nb::tuple tuple_of(std::span<const std::int64_t> numbers) {
  const nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!tuple) throw nb::python_error();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyObject* item = PyLong_FromLongLong(numbers[i]);
    if (!item) throw nb::python_error();
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return nb::borrow<nb::tuple>(tuple);
}

Device device_of(nb::handle object) {
  if (object.is_none()) return default_device();
  if (PyUnicode_Check(object.ptr())) return parse_device(utf8_of(object));
  Device device;
  if (!nb::try_cast(object, device)) {
    const bool has_queue = as_queue(object) || is_of_neighbour(object.ptr());
    fail(Errc::type, "device: {} is neither a Device nor a name such as \"cpu\"{}",
         found_as(object),
         has_queue ? "; to create arrays on a queue write `with isthmus.Queue(q):`" : "");
  }
  return device;
}

PyObject* number_of(const Scalar& scalar) {
  PyObject* const number = [&] {
    switch (scalar.dtype.family) {
      case Family::boolean: return PyBool_FromLong(scalar.integer != 0);
      case Family::integer: return PyLong_FromLongLong(scalar.integer);
      case Family::natural: return PyLong_FromUnsignedLongLong(scalar.natural);
      case Family::real: return PyFloat_FromDouble(scalar.number.re);
      default: return PyComplex_FromDoubles(scalar.number.re, scalar.number.im);
    }
  }();
  if (!number) throw nb::python_error();
  return number;
}

}  // namespace isthmus::python
