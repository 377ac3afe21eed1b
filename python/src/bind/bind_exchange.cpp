// bind_exchange.cpp: asarray, from_dlpack, explain: who asks the protocols, by rank.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <optional>
#include <vector>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/base/log.h"
#include "isthmus/exchange/asarray.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/collections.h"
#include "python/src/object/memory_object.h"
#include "python/src/object/number_list.h"
#include "python/src/object/temporary.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/ndarray.h"
#include "python/src/protocol.h"

namespace isthmus::python {

using detail::format;

extern const Protocol dlpack_c_exchange, dlpack;

namespace {

using Verdict = Explanation::Verdict;

/// What came of asking the protocols: an array and who brought it, or all the reasons against.
struct Import {
  std::optional<Array> array;
  const Protocol* protocol = nullptr;
  std::string reasons;
};

Import ask_protocols(nb::handle object, const ImportRequest& request) {
  Import import;
  const auto note = [&](const Protocol& protocol, std::string_view reason) {
    import.reasons += format("{}{}: {}", import.reasons.empty() ? "" : "; ", protocol.name, reason);
  };
  for (const Protocol* protocol : protocols()) {
    if (!protocol->speaks(object)) continue;
    try {
      import.array = protocol->import_array(object, request);
      import.protocol = protocol;
      return import;
    } catch (const Error& error) {
      if (error.code() == Errc::out_of_memory || error.code() == Errc::interrupted) throw;
      // without a driver for it there is no order to keep
      if (protocol->is_binding && error.code() != Errc::backend_unavailable) throw;
      note(*protocol, error.text());
    } catch (const nb::python_error& error) {
      // a property that raises AttributeError is not there
      const bool is_bound = protocol->is_binding && !error.matches(PyExc_AttributeError);
      if (!is_refusal(error) || is_bound) throw;
      note(*protocol, utf8_of(nb::str(error.value())));
    }
  }
  return import;
}

void refuse_copy(const char* who, std::optional<bool> copy, std::string_view reason) {
  check(copy != false, Errc::copy_refused, "{}: copy=False, but {}", who, reason);
}

/// Names the first element that is none of the dtype, if it was that.
void fail_at_element(const char* who, nb::handle object, nb::handle dtype,
                     const nb::python_error& error) {
  const bool is_overflow = error.matches(PyExc_OverflowError);
  if (!is_overflow && !error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) return;
  const nb::module_ numpy = nb::module_::import_("numpy");
  const Errc code = is_overflow                       ? Errc::overflow
                    : error.matches(PyExc_ValueError) ? Errc::value
                                                      : Errc::type;
  const nb::object elements =
      numpy.attr("array")(object, nb::arg("dtype") = "O").attr("ravel")().attr("tolist")();
  for (nb::handle element : elements) try {
      numpy.attr("array")(element, nb::arg("dtype") = dtype);
    } catch (const nb::python_error& own) {
      if (!own.matches(PyExc_Exception)) throw;
      fail(code, "{}: {} cannot be converted to {}", who, utf8_of(nb::repr(element)),
           utf8_of(nb::str(dtype)));
    }
}

/// What NumPy makes of lists, and of its own arrays whose elements no protocol can name: an ndarray
/// of a dtype that Isthmus has. Of the numbers in a list NumPy checks that they fit the dtype.
nb::object made_by_numpy(const char* who, nb::handle object, const Device& device,
                         std::optional<DType> dtype_wanted) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object wanted =
      dtype_wanted ? nb::borrow(dtype_object(*dtype_wanted)) : nb::object(nb::none());
  nb::object made;
  try {
    made = numpy.attr("array")(object, nb::arg("dtype") = wanted);
  } catch (const nb::python_error& error) {
    const bool is_uneven =
        error.matches(PyExc_ValueError) &&
        std::string_view(error.what()).find("inhomogeneous") != std::string_view::npos;
    check(!is_uneven, Errc::value,
          "{}: the lists in {} differ in length or depth; all lists at one depth must have the "
          "same length",
          who, found_as(object));
    if (dtype_wanted) fail_at_element(who, object, wanted, error);
    throw;
  }
  const bool has_objects = nb::cast<bool>(made.attr("dtype").attr("hasobject"));
  const bool is_sequence = PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
  check(!has_objects || !is_sequence, Errc::type,
        "{}: {} has an element that is not a number, or an int beyond 64 bits; write such an int "
        "as a float",
        who, found_as(object));
  const bool is_array_of_objects = has_objects && nb::isinstance(object, numpy.attr("ndarray"));
  check(!is_array_of_objects, Errc::type,
        "{}: a numpy.ndarray of objects is not supported; convert it with astype(float), or to "
        "another dtype",
        who);
  check(!has_objects, Errc::type,
        "{}: {} does not hold numbers; pass numbers, nested lists of them, or objects with a "
        "protocol of isthmus.protocols()",
        who, found_as(object));
  const bool is_list = !nb::isinstance(object, numpy.attr("ndarray"));
  if (made.attr("dtype").attr("fields").is_none()) {  // structs keep what is in them
    const nb::object native = made.attr("dtype").attr("newbyteorder")("=");
    if (!native.equal(made.attr("dtype"))) made = made.attr("astype")(native);
  }
  DType dtype = dtype_of(made.attr("dtype"));
  if (is_list && !has_dtype(device, dtype)) {  // numbers without a dtype take the device's own
    dtype = dtype.family == Family::complex ? TypeId::complex64 : TypeId::float32;
    made = made.attr("astype")(nb::handle(dtype_object(dtype)));
  }
  return made;
}

/// A list that needs no NumPy, as an array of the device's own dtype.
std::optional<Array> of_numbers(const char* who, nb::handle object, const Device& device,
                                std::optional<DType> dtype_wanted) {
  // NumPy looks at each number that becomes one of another dtype
  std::optional<Array> made = dtype_wanted ? std::nullopt : array_of_numbers(object.ptr());
  if (!made) return {};
  if (!has_dtype(device, made->dtype())) made = astype(*made, TypeId::float32);
  count_copy();
  detail::log(Channel::exchange, Level::info, "{}: copy of a {}, {} bytes", who,
              Py_TYPE(object.ptr())->tp_name, made->size() * made->dtype().bytes());
  return made;
}

Array through_numpy(const char* who, nb::handle object, const Device& device,
                    std::optional<DType> dtype_wanted) {
  const nb::object made = made_by_numpy(who, object, device, dtype_wanted);
  const Import import = ask_protocols(made, {{}, {}, true});
  check(import.array.has_value(), Errc::exchange, "{}: {}", who, import.reasons);
  count_copy();
  detail::log(Channel::exchange, Level::info, "{}: copy of a {} through NumPy, {} bytes", who,
              Py_TYPE(object.ptr())->tp_name, import.array->size() * import.array->dtype().bytes());
  return *import.array;
}

/// An array of ours, or of another library as one of ours; nothing for another object. Throws what
/// asarray() does.
std::optional<Array> array_in_list(nb::handle item) {
  if (is_array(item.ptr())) return array_of(item.ptr());
  if (!is_of_neighbour(item.ptr()) || !speaks_any(item)) return {};
  const nb::object made = nb::module_::import_("isthmus").attr("asarray")(item);
  return array_of(made.ptr());
}

/// Nested lists of arrays as one array, stacked where they lie; nothing for a list that has
/// anything else in it. Throws as stack().
std::optional<Array> stacked(PyObject* list, std::size_t depth = 0) {
  if ((!PyList_Check(list) && !PyTuple_Check(list)) || depth == max_dimensions) return {};
  std::vector<Array> arrays;
  for (nb::handle item : nb::borrow<nb::sequence>(list)) {
    std::optional<Array> part = array_in_list(item);
    if (!part) part = stacked(item.ptr(), depth + 1);
    if (!part) return {};
    arrays.push_back(std::move(*part));
  }
  return arrays.empty() ? std::nullopt : std::optional(stack(arrays));
}

void refuse_past_64_bits(const char* who, const Value& value) {
  check(!value.is_past_64_bits, Errc::overflow, "{}: a Python int beyond 64 bits; write a float",
        who);
}

/// The array as it is wanted; copied if that was asked for and has not happened.
Array convert(const char* who, Array&& x, bool is_new, std::optional<DType> dtype,
              std::optional<Device> device, std::optional<bool> copy) {
  return isthmus::detail::as_wanted(who, std::move(x), is_new, {dtype, device, copy});
}

/// An array of ours has no word for elements that do not count.
void refuse_mask(const char* who, nb::handle object) {
  static constinit ForeignClass masked("numpy.ma", "MaskedArray");
  if (!masked.has(object)) return;
  const nb::module_ numpy = nb::module_::import_("numpy.ma");
  check(!nb::cast<bool>(numpy.attr("is_masked")(object)), Errc::exchange,
        "{}: mask: some elements are masked; x.filled() gives all of them values", who);
}

Array as_array(const char* who, nb::handle object, std::optional<DType> dtype,
               std::optional<Device> device, std::optional<bool> copy, bool is_private) {
  if (is_array(object.ptr()))
    return convert(who, Array(array_of(object.ptr())), false, dtype, device, copy);
  if (const Array* bytes = bytes_of_memory(object))
    return convert(who, Array(*bytes), false, dtype, device, copy);
  const auto where = [&] { return device ? *device : device_of(nb::none()); };
  if (copy != false)
    if (auto made = of_numbers(who, object, where(), dtype))
      return convert(who, std::move(*made), true, dtype, where(), copy);
  refuse_mask(who, object);
  const bool is_numpy = as_ndarray(object.ptr()) != nullptr;  // by far the most frequent
  const auto value = is_numpy ? std::nullopt : value_of(object.ptr());
  if (value) {
    refuse_copy(who, copy, "a number has no memory to share");
    refuse_past_64_bits(who, *value);
    return full({}, *value, dtype, where(), who);
  }
  if (!is_numpy && !speaks_any(object)) {
    refuse_copy(who, copy, format("{} has no memory to share", found_as(object)));
    if (auto arrays = stacked(object.ptr()))
      return convert(who, std::move(*arrays), true, dtype, device, copy);
    return convert(who, through_numpy(who, object, where(), dtype), true, dtype, where(), copy);
  }
  // copy=True is left to us: producers that do not know the word would have ignored it
  Import import = ask_protocols(object, {copy == false ? copy : std::nullopt, {}, is_private});
  if (import.array) return convert(who, std::move(*import.array), false, dtype, device, copy);
  refuse_copy(who, copy, import.reasons);
  const bool is_like_numpy = nb::isinstance(object, nb::module_::import_("numpy").attr("ndarray"));
  check(is_like_numpy, Errc::exchange, "{}: {}", who, import.reasons);
  return convert(who, through_numpy(who, object, where(), {}), true, dtype, device, copy);
}

std::optional<Device> device_or_nothing(PyObject* object) {
  if (!object || object == Py_None) return {};
  return device_of(object);
}

// Both are raw functions: nothing may take a reference to the argument before is_only_ours asks.

PyObject* py_asarray(PyObject*, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  static const Keywords<3> keywords({"dtype", "device", "copy"});
  return guarded([&] {
    catch_up();
    const auto [dtype, device, copy] = keywords.values("asarray", args, given, 1, names, 1);
    const bool is_private = is_only_ours(args);
    const auto as = optional_dtype(or_none(dtype));
    const auto where = device_or_nothing(device);
    const auto may_copy = copy_flag("asarray", copy);
    if (is_array(args[0]) && may_copy != true) {
      const Array& x = array_of(args[0]);
      const bool is_it = (!as || *as == x.dtype()) && (!where || *where == x.device());
      if (is_it) return Py_NewRef(args[0]);
    }
    return wrap(as_array("asarray", args[0], as, where, may_copy, is_private));
  });
}

[[gnu::hot]] Array import_dlpack(nb::handle object, const ImportRequest& request) {
  // of what DLPack has no form for, NumPy shall say so
  if (const Ndarray* array = request.copy ? nullptr : as_ndarray(object.ptr()))
    if (const auto dtype = builtin_dtype_of(array->dtype))
      return import_ndarray(*array, *dtype, request.is_private);
  if (dlpack_c_exchange.speaks(object)) return dlpack_c_exchange.import_array(object, request);
  try {
    return isthmus::python::dlpack.import_array(object, request);
  } catch (const nb::python_error& error) {
    const bool is_missing =
        error.matches(PyExc_AttributeError) && !isthmus::python::dlpack.speaks(object);
    if (!is_missing) throw;
    const bool is_capsule = PyCapsule_CheckExact(object.ptr());
    fail(Errc::type, "from_dlpack: {} has no __dlpack__; {}", found_as(object),
         is_capsule ? "pass the object whose __dlpack__() returned it"
                    : "asarray accepts more objects");
  }
}

[[gnu::hot]] PyObject* py_from_dlpack(PyObject*, PyObject* const* args, Py_ssize_t given,
                                      PyObject* names) {
  static const Keywords<2> keywords({"device", "copy"});
  constexpr const char* who = "from_dlpack";
  return guarded([&] {
    catch_up();
    const auto [device, copy] = keywords.values(who, args, given, 1, names);
    const auto where = device_or_nothing(device);
    const auto may_copy = copy_flag(who, copy);
    if (is_array(args[0]))
      return wrap(convert(who, Array(array_of(args[0])), false, {}, where, may_copy));
    const ImportRequest request{may_copy, where, is_only_ours(args)};
    Array x = import_dlpack(args[0], request);
    if (!where && !may_copy) return wrap(std::move(x));
    // a producer that knew copy=True has said that nobody else reaches the memory
    const bool is_new = may_copy == true && [&] {
      const std::lock_guard lock(graph_lock());
      return !x.storage()->memory()->is_shared();
    }();
    return wrap(convert(who, std::move(x), is_new, {}, where, may_copy));
  });
}

PyMethodDef functions[] = {
    {"asarray", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(py_asarray)),
     METH_FASTCALL | METH_KEYWORDS,
     "asarray(obj, /, dtype=None, *, device=None, copy=None)\n"
     "--\n\n"
     "Converts an object that holds numbers to an array.\n\n"
     "Accepts objects with __sycl_usm_array_interface__, DLPack, the buffer protocol,\n"
     "__array_interface__ or __array__; arrays and memory of pyopencl; memory objects;\n"
     "numbers, and nested lists of them, through NumPy unless all are Python numbers. Lists of\n"
     "arrays are stacked on the device of the arrays.\n\n"
     "Returns: a view of the object's memory, which it keeps alive; a copy if copy=True, for\n"
     "another dtype or device, for numbers and lists, and for NumPy arrays whose elements are\n"
     "misaligned, byte-swapped or not a whole number of elements apart.\n"
     "Waits: no.\n"
     "Raises: CopyRefusedError if copy=False and a copy is needed; ExchangeError (BufferError)\n"
     "with the reason of every protocol; TypeError for objects without numbers.\n"
     "Source: Array API 2025.12."},
    {"from_dlpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(py_from_dlpack)),
     METH_FASTCALL | METH_KEYWORDS,
     "from_dlpack(x, /, *, device=None, copy=None)\n"
     "--\n\n"
     "Imports an array of another library by DLPack 1.3 or older.\n\n"
     "Returns: a view, read-only if the producer says so and for JAX; a copy if copy=True or\n"
     "for another device.\n"
     "Waits: no.\n"
     "Raises: BufferError, naming the field; CopyRefusedError if copy=False and a copy is needed.\n"
     "Source: Array API 2025.12."},
    {nullptr, nullptr, 0, nullptr}};

// ---- explain

struct Explained {
  Verdict verdict = Verdict::impossible;
  std::string protocol, reason;
  nb::dict exports = new_dict();
};

Explained explain_ours(const Array& array, std::optional<Device> device) {
  Explained result;
  const Explanation found = isthmus::explain(array, device);
  result.verdict = found.verdict;
  result.protocol = "isthmus";
  result.reason = found.reason;
  for (const Protocol* protocol : protocols()) {
    result.exports[protocol->name] = to_string(protocol->explain_export(array));
  }
  return result;
}

/// Whether asarray copies what it cannot share: an ndarray of a dtype that Isthmus has.
bool is_copied_through_numpy(nb::handle object) {
  if (!nb::isinstance(object, nb::module_::import_("numpy").attr("ndarray"))) return false;
  try {
    dtype_of(object.attr("dtype").attr("newbyteorder")("="));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Throws what asarray would, of a number or of what NumPy alone knows how to read.
void try_numbers(nb::handle object, const std::optional<Value>& value, const Device& device) {
  constexpr const char* who = "asarray";
  if (!value) {
    made_by_numpy(who, object, device, {});
    return;
  }
  refuse_past_64_bits(who, *value);
  const DType dtype = value->scalar.dtype;
  check(value->is_weak || has_dtype(device, dtype), Errc::type, "{}: {} has no {}; use float32",
        who, device, dtype);
}

Explained explain(nb::handle object, nb::handle to) {
  const auto device = device_or_nothing(to.ptr());
  if (is_array(object.ptr())) return explain_ours(array_of(object.ptr()), device);
  if (const Array* bytes = bytes_of_memory(object)) return explain_ours(*bytes, device);
  Explained result;
  Import import;
  try {
    refuse_mask("asarray", object);
    // an array without axes is no number: it has memory
    const auto value = as_ndarray(object.ptr()) ? std::nullopt : value_of(object.ptr());
    if (value || !speaks_any(object)) {
      try_numbers(object, value, device ? *device : device_of(nb::none()));
      result.verdict = Verdict::copy;
      result.protocol = "numpy";
      result.reason = format("{} has no memory to share", found_as(object));
      return result;
    }
    import = ask_protocols(object, {false, {}, false});
  } catch (const Error& error) {
    if (error.code() == Errc::out_of_memory || error.code() == Errc::interrupted) throw;
    result.reason = error.text();
    return result;
  } catch (const nb::python_error& error) {
    if (!is_refusal(error)) throw;
    result.reason = utf8_of(nb::str(error.value()));
    return result;
  }
  if (import.array) {
    result.protocol = import.protocol->name;
    result.verdict = verdict_on(*import.array, device);
    result.reason = import.array->is_read_only() ? "read-only" : "writable";
    result.reason += crossing_to(*import.array, device);
    if (!import.reasons.empty()) result.reason += format("; not by {}", import.reasons);
    return result;
  }
  const bool is_copied = is_copied_through_numpy(object);
  result.verdict = is_copied ? Verdict::copy : Verdict::impossible;
  result.protocol = is_copied ? "numpy" : "";
  result.reason = import.reasons;
  return result;
}

PyObject* refuse_to_make(PyTypeObject*, PyObject*, PyObject*) noexcept {
  PyErr_SetString(PyExc_TypeError, "isthmus.Explanation: created by isthmus.explain");
  return nullptr;
}

}  // namespace

void bind_exchange(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), functions)) throw nb::python_error();
  static const PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(refuse_to_make)},
                                      {0, nullptr}};
  nb::class_<Explained> c(m, "Explanation", nb::type_slots(slots),
                          "Describes what asarray would do with an object, and why; see explain.");
  c.attr("__module__") = "isthmus";
  c.def_prop_ro(
      "verdict", [](const Explained& e) { return to_string(e.verdict); },
      nb::sig("def verdict(self) -> str"), "'zero-copy', 'copy' or 'impossible'.");
  c.def_prop_ro(
      "protocol", [](const Explained& e) { return e.protocol; },
      nb::sig("def protocol(self) -> str"),
      "How it would be imported: a name of protocols(), 'isthmus' or 'numpy'; else ''.");
  c.def_prop_ro(
      "reason", [](const Explained& e) { return e.reason; }, nb::sig("def reason(self) -> str"),
      "The reason; for an isthmus.Array, why its memory is shared or private.");
  c.def_prop_ro(
      "exports", [](const Explained& e) { return e.exports; },
      nb::sig("def exports(self) -> dict[str, str]"),
      "By protocol, how an isthmus.Array could be exported.");
  c.def(
      "__repr__",
      [](const Explained& e) {
        return format("{}{}{}: {}", to_string(e.verdict), e.protocol.empty() ? "" : " by ",
                      e.protocol, e.reason);
      },
      nb::sig("def __repr__(self) -> str"));
  m.def("explain", &explain, nb::arg("obj").none(), nb::arg("device") = nb::none(),
        nb::sig("def explain(obj: object, device: Device | str | None = None) -> Explanation"),
        "Explains what asarray(obj, device=device) would do: share, copy or fail, by which "
        "protocol and why; for an isthmus.Array also why it is shared.\n\n"
        "Waits: for the object's own value, if its protocol requires it, and for arrays in lists.");
  m.def(
      "_wait",
      [](nb::handle x) {
        const Array array = require_array("wait", x.ptr());
        const Unblocked unblocked;
        lend_briefly(array);
      },
      nb::sig("def _wait(x: Array, /) -> None"),
      "Waits until the host may access the array: an interrupt is raised here, where NumPy would "
      "swallow it.");
  m.def(
      "protocols",
      [] {
        nb::list names = new_list();
        for (const Protocol* protocol : protocols()) names.append(protocol->name);
        return nb::tuple(names);
      },
      nb::sig("def protocols() -> tuple[str, ...]"),
      "Names of the exchange protocols, in the order in which asarray tries them.");
}

}  // namespace isthmus::python
