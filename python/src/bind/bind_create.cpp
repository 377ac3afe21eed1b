// bind_create.cpp: creation functions.
#include <nanobind/stl/optional.h>

#include "isthmus/array/create/create.h"
#include "isthmus/array/place.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/flag.h"
#include "python/src/peers/foreign_class.h"

namespace isthmus::python {

using detail::format;

namespace {

constexpr const char* doc_alike =
    "An array {} with the shape of x, row-major whatever the layout of x.\n\n"
    "{}";
constexpr const char* doc_new =
    "Returns: new memory; pending until its value is needed.\n"
    "Waits: no.\n"
    "Raises: ValueError for a bad shape, MemoryError.\n"
    "Source: Array API 2025.12.";

/// An int or a sequence of ints, none below 0. Names what else was found. `who`: "zeros: shape".
Dims shape_of(const char* who, nb::handle object) {
  const bool may_be = PyIndex_Check(object.ptr()) ||
                      (PySequence_Check(object.ptr()) && !PyUnicode_Check(object.ptr()));
  check(may_be, Errc::type, "{}: {} is neither an int nor a sequence of ints", who,
        found_as(object));
  const Dims dims = dims_of(who, object);
  for (const std::int64_t extent : dims)
    check(extent >= 0, Errc::value, "{} {} has a negative extent", who, dims);
  return dims;
}

void bind_filled(nb::module_& m, const char* name, double value) {
  const bool is_empty = value < 0;  // nothing to fill with
  const std::string plain(name), like = plain + "_like", of_shape = plain + ": shape";
  const std::string sig = format(
      "def {}(shape: Shape, dtype: object | None = None, *, device: Device | str | "
      "None = None) -> Array",
      name);
  const std::string sig_like = format(
      "def {}(x: Array, /, dtype: object | None = None, *, device: Device | str | None = None) -> "
      "Array",
      like);
  const char* const of = is_empty ? "with undefined elements" : value ? "of ones" : "of zeros";
  const std::string doc = format("An array {}.\n\n{}", of, doc_new);
  const std::string doc_like = format(doc_alike, of, doc_new);
  const Value number = static_cast<std::int64_t>(value);
  m.def(
      name,
      [=](nb::handle shape, nb::handle dtype, nb::handle device) {
        const Device where = device_of(device);
        const Dims dims = shape_of(of_shape.c_str(), shape);
        const DType made = optional_dtype(dtype).value_or(default_real(where));
        return nb::steal(wrap(is_empty ? empty(dims, made, where)
                                       : full(dims, number, made, where, plain.c_str())));
      },
      nb::arg("shape").none(), nb::arg("dtype") = nb::none(), nb::kw_only(),
      nb::arg("device") = nb::none(), nb::sig(sig.c_str()), doc.c_str());
  m.def(
      like.c_str(),
      [=](nb::handle x, nb::handle dtype, nb::handle device) {
        const Array& a = require_array(like.c_str(), x.ptr());
        const auto as = optional_dtype(dtype);
        const Device where = device.is_none() ? a.device() : device_of(device);
        const bool is_there = where == a.device();  // then of its context too
        if (!is_empty)
          return nb::steal(
              wrap(is_there ? full_like(a, number, as, like)
                            : full(a.shape(), number, as.value_or(a.dtype()), where, like)));
        return nb::steal(
            wrap(is_there ? empty_like(a, as) : empty(a.shape(), as.value_or(a.dtype()), where)));
      },
      nb::arg("x"), nb::arg("dtype") = nb::none(), nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig(sig_like.c_str()), doc_like.c_str());
}

/// A struct is no number: it is written as by x[...] = value.
nb::object full_of_structs(std::span<const std::int64_t> shape, nb::handle value, DType dtype,
                           Device device) {
  const nb::object made = nb::steal(wrap(empty(shape, dtype, device)));
  if (PyObject_SetItem(made.ptr(), Py_Ellipsis, value.ptr())) throw nb::python_error();
  return made;
}

/// The dtype asked for, or a NumPy struct's own.
std::optional<DType> dtype_to_fill(nb::handle dtype, nb::handle value) {
  static constinit ForeignClass structs("numpy", "void");
  return optional_dtype(dtype.is_none() && structs.has(value) ? value.attr("dtype") : dtype);
}

void bind_full(nb::module_& m) {
  m.def(
      "full",
      [](nb::handle shape, nb::handle value, nb::handle dtype, nb::handle device) {
        const Device where = device_of(device);
        const auto made = dtype_to_fill(dtype, value);
        if (made && made->record)
          return full_of_structs(shape_of("full: shape", shape), value, *made, where);
        const Value number = require_value("full", value.ptr());
        return nb::steal(wrap(full(shape_of("full: shape", shape), number, made, where)));
      },
      nb::arg("shape").none(), nb::arg("fill_value").none(), nb::arg("dtype") = nb::none(),
      nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig("def full(shape: Shape, fill_value: Number | tuple[typing.Any, ...], "
              "dtype: object | None = None, *, device: Device | str | None = None) -> Array"),
      format("An array of one value; a tuple for a dtype of structs.\n\n{}", doc_new).c_str());
  m.def(
      "full_like",
      [](nb::handle x, nb::handle value, nb::handle dtype, nb::handle device) {
        constexpr const char* who = "full_like";
        const Array& like = require_array(who, x.ptr());
        const DType made = optional_dtype(dtype).value_or(like.dtype());
        const Device where = device.is_none() ? like.device() : device_of(device);
        const InContextOf meanwhile(like);
        if (made.record) return full_of_structs(like.shape(), value, made, where);
        const Value number = require_value(who, value.ptr());
        return nb::steal(wrap(where == like.device()
                                  ? full_like(like, number, made)
                                  : full(like.shape(), number, made, where, who)));
      },
      nb::arg("x"), nb::arg("fill_value"), nb::arg("dtype") = nb::none(), nb::kw_only(),
      nb::arg("device") = nb::none(),
      nb::sig("def full_like(x: Array, /, fill_value: Number | tuple[typing.Any, ...], dtype: "
              "object | None = None, *, device: Device | str | None = None) -> Array"),
      format(doc_alike, "of one value", doc_new).c_str());
}

void bind_ranges(nb::module_& m) {
  m.def(
      "arange",
      [](nb::handle start, nb::handle stop, nb::handle step, nb::handle dtype, nb::handle device) {
        const Device where = device_of(device);
        check(!start.is_none() || !stop.is_none(), Errc::type,
              "arange: give stop, or start and stop");
        const Value first = start.is_none() ? Value(0) : require_value("arange", start.ptr());
        const Value by = require_value("arange", step.ptr());
        const bool is_alone = stop.is_none();  // the one number is where it ends
        const Value to = is_alone ? first : require_value("arange", stop.ptr());
        return nb::steal(wrap(arange(is_alone ? 0 : first, to, by, optional_dtype(dtype), where)));
      },
      nb::arg("start").none() = nb::none(), nb::arg("stop") = nb::none(), nb::arg("step") = 1,
      nb::arg("dtype") = nb::none(), nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig("def arange(start: Real | None = None, /, stop: Real | None = None, step: Real = 1, "
              "dtype: "
              "object | None = None, *, device: Device | str | None = None) -> "
              "Array"),
      format("Evenly spaced numbers in [start, stop).\n\n{}", doc_new).c_str());
  m.def(
      "linspace",
      [](nb::handle start, nb::handle stop, std::int64_t num, Flag endpoint, nb::handle dtype,
         nb::handle device) {
        const Device where = device_of(device);
        const Value from = require_value("linspace", start.ptr());
        const Value to = require_value("linspace", stop.ptr());
        return nb::steal(wrap(linspace(from, to, num, optional_dtype(dtype), endpoint, where)));
      },
      nb::arg("start"), nb::arg("stop"), nb::arg("num") = 50, nb::arg("endpoint") = true,
      nb::kw_only(), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
      nb::sig(
          "def linspace(start: Number, stop: Number, /, num: typing.SupportsIndex = 50, endpoint: "
          "bool = True, *, dtype: object | None = None, device: Device | str | None = None) -> "
          "Array"),
      format("`num` evenly spaced numbers from start to stop.\n\n{}", doc_new).c_str());
  m.def(
      "eye",
      [](std::int64_t rows, nb::handle columns, nb::handle diagonal, nb::handle dtype,
         nb::handle device) {
        const Device where = device_of(device);
        int overflow = 0;  // past 64 bits there is no diagonal either
        std::int64_t k = PyLong_AsLongLongAndOverflow(diagonal.ptr(), &overflow);
        if (k == -1 && PyErr_Occurred()) throw nb::python_error();
        if (overflow) k = overflow > 0 ? INT64_MAX : INT64_MIN;
        check(columns.is_none() || PyIndex_Check(columns.ptr()), Errc::type,
              "eye: n_cols: expected an int or None, not {}", found_as(columns));
        const std::int64_t n =
            columns.is_none() ? rows : PyNumber_AsSsize_t(columns.ptr(), PyExc_OverflowError);
        if (n == -1 && PyErr_Occurred()) throw nb::python_error();
        return nb::steal(wrap(eye(rows, n, k, optional_dtype(dtype), where)));
      },
      nb::arg("n_rows"), nb::arg("n_cols") = nb::none(), nb::arg("k") = 0,
      nb::arg("dtype") = nb::none(), nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig("def eye(n_rows: typing.SupportsIndex, n_cols: typing.SupportsIndex | None = None, "
              "/, k: typing.SupportsIndex = 0, dtype: object | "
              "None = None, *, device: Device | str | None = None) -> Array"),
      format("Ones on the k-th diagonal, zeros elsewhere.\n\n{}", doc_new).c_str());
}

}  // namespace

void bind_create(nb::module_& m) {
  bind_filled(m, "empty", -1);
  bind_filled(m, "zeros", 0);
  bind_filled(m, "ones", 1);
  bind_full(m);
  bind_ranges(m);
}

}  // namespace isthmus::python
