// bind_take.cpp: elements by their indices, and where elements are not zero.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/array/index/nonzero.h"
#include "isthmus/array/index/take.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_list.h"
#include "python/src/object/indices.h"

namespace isthmus::python {

namespace {

Outside outside_of(const char* who, const std::string& mode) {
  if (mode == "wrap") return Outside::wrap;
  if (mode == "clip") return Outside::clip;
  check(mode == "raise", Errc::value, "{}: mode: '{}' is none of raise, wrap, clip", who, mode);
  return Outside::raise;
}

nb::object taken(nb::handle x, nb::handle indices, std::optional<std::int64_t> axis, nb::handle out,
                 const std::string& mode) {
  const Array& array = require_array("take", x.ptr());
  check(!PyUnicode_Check(out.ptr()), Errc::type,
        "take: out: expected an Array, not a text; write mode=...");
  const Outside outside = outside_of("take", mode);
  const Array at = require_indices("take", indices.ptr(), array);
  return made_into("take", out, [&] { return take(array, at, axis, outside); });
}

/// Calls f(value) with a number, an Array, or what asarray() makes of it.
template <class F>
void with_values(const char* who, const Array& x, nb::handle values, F f) {
  check(!PyUnicode_Check(values.ptr()), Errc::type, "{}: values: expected numbers, not a text",
        who);
  if (const auto direct = value_of(values.ptr())) return f(*direct);
  const bool is_literal = PyList_Check(values.ptr()) || PyTuple_Check(values.ptr());
  const nb::object dtype = is_literal ? nb::borrow(dtype_object(x.dtype())) : nb::none();
  const nb::object device = is_literal ? nb::object(nb::str("cpu")) : nb::none();
  const nb::object made = nb::module_::import_("isthmus").attr("asarray")(
      values, nb::arg("dtype") = dtype, nb::arg("device") = device);
  f(Value(array_of(made.ptr())));
}

void written(nb::handle x, nb::handle indices, nb::handle values, const std::string& mode) {
  const Array& array = require_array("put", x.ptr());
  const Outside outside = outside_of("put", mode);
  const Array at = require_indices("put", indices.ptr(), array);
  with_values("put", array, values, [&](const Value& value) { put(array, at, value, outside); });
}

constexpr const char* take_text =
    "The elements at these indices along an axis, or without an axis in row-major order. The axes "
    "of the indices replace the axis.\n\n"
    "out: an array that receives the result instead of new memory; it is returned.\n"
    "mode: for an index out of range: \"raise\" an error, \"wrap\" around, \"clip\" to the first "
    "or last element. Negative indices count from the end, but with \"clip\" they select the first "
    "element.\n"
    "Returns: new memory, pending, or `out`.\n"
    "Waits: on `cpu` for the indices, if mode is \"raise\". On a device, an invalid index that is "
    "pending, or that the host cannot access, raises when you wait for the result.\n"
    "Raises: IndexError for an index or an axis out of range, TypeError if the indices are not "
    "integers, ValueError for an unknown mode.\n"
    "Source: Array API 2025.12, take; NumPy 2 for `out`, `mode`, and for indices of several axes "
    "or none.";
constexpr const char* put_text =
    "Writes values to the elements at these indices, in row-major order. If there are fewer values "
    "than indices, the values repeat; for equal indices, the last value is kept.\n\n"
    "mode: as for take.\n"
    "Returns: None; x is modified in place.\n"
    "Waits: as take. An error of the wait is raised once, and nothing is written.\n"
    "Raises: IndexError, before anything is written, TypeError if the indices are not integers, "
    "ValueError for read-only memory.\n"
    "Source: NumPy 2, put.";

void bind_along_axis(nb::module_& m) {
  m.def(
      "take_along_axis",
      [](nb::handle x, nb::handle indices, std::optional<std::int64_t> axis) {
        const Array& array = require_array("take_along_axis", x.ptr());
        const Array at = require_indices("take_along_axis", indices.ptr(), array);
        return nb::steal(wrap(take_along_axis(array, at, axis)));
      },
      nb::arg("x"), nb::arg("indices"), nb::arg("axis").none() = -1,
      nb::sig("def take_along_axis(x: Array, indices: Indices, /, axis: int | None = -1) -> "
              "Array"),
      "The elements at these indices along an axis, such as the indices of argsort; with the axis "
      "None, of all elements in row-major order.\n\n"
      "Shapes: indices have as many axes as x; all but `axis` broadcast.\n"
      "Returns: new memory, pending.\n"
      "Waits: as take.\n"
      "Raises: ValueError for a wrong number of axes, IndexError for an index out of range, "
      "TypeError if the indices are not integers.\n"
      "Source: Array API 2025.12, take_along_axis.");
  m.def(
      "put_along_axis",
      [](nb::handle x, nb::handle indices, nb::handle values, std::optional<std::int64_t> axis) {
        const Array& array = require_array("put_along_axis", x.ptr());
        const Array at = require_indices("put_along_axis", indices.ptr(), array);
        with_values("put_along_axis", array, values,
                    [&](const Value& value) { put_along_axis(array, at, value, axis); });
      },
      nb::arg("x"), nb::arg("indices"), nb::arg("values"), nb::arg("axis").none(),
      nb::sig("def put_along_axis(x: Array, indices: Indices, values: typing.Any, /, axis: int | "
              "None) -> None"),
      "Writes values, broadcast, to the elements that take_along_axis reads. For equal indices, "
      "the last value is kept.\n\n"
      "Returns: None; x is modified in place.\n"
      "Waits: as put.\n"
      "Raises: as take_along_axis, before anything is written; ValueError for read-only memory.\n"
      "Source: NumPy 2, put_along_axis.");
}

void bind_nonzero(nb::module_& m) {
  m.def(
      "nonzero", [](nb::handle x) { return tuple_of(nonzero(require_array("nonzero", x.ptr()))); },
      nb::arg("x"), nb::sig("def nonzero(x: Array, /) -> tuple[Array, ...]"),
      "The indices of the elements that are not zero, in row-major order: one array for each axis. "
      "NaN is not zero.\n\n"
      "Returns: int64, new memory.\n"
      "Waits: for the number of these elements, which is the length of the results.\n"
      "Raises: ValueError for a 0-d array.\n"
      "Source: Array API 2025.12, nonzero.");
  // beside where() of three arguments, which is a row of ops.def and stands first
  m.def(
      "where", [](nb::handle x) { return tuple_of(where(require_array("where", x.ptr()))); },
      nb::arg("x"), nb::sig("def where(x: Array, /) -> tuple[Array, ...]"),
      "With a condition alone, the same as nonzero(), as in NumPy.\n\n"
      "Returns: int64, new memory.\n"
      "Waits: as nonzero.\n"
      "Raises: as nonzero.\n"
      "Source: NumPy 2, where.");
  m.def(
      "argwhere",
      [](nb::handle x) { return nb::steal(wrap(argwhere(require_array("argwhere", x.ptr())))); },
      nb::arg("x"), nb::sig("def argwhere(x: Array, /) -> Array"),
      "The indices of the elements that are not zero, one row for each element.\n\n"
      "Shapes: (n0, ..., nk) -> (count, k + 1).\n"
      "Returns: int64, new memory.\n"
      "Waits: for the number of these elements.\n"
      "Source: NumPy 2, argwhere.");
  m.def(
      "flatnonzero",
      [](nb::handle x) {
        return nb::steal(wrap(flatnonzero(require_array("flatnonzero", x.ptr()))));
      },
      nb::arg("x"), nb::sig("def flatnonzero(x: Array, /) -> Array"),
      "The flat row-major indices of the elements that are not zero.\n\n"
      "Returns: int64, new memory.\n"
      "Waits: for the number of these elements.\n"
      "Source: NumPy 2, flatnonzero.");
}

}  // namespace

void bind_take(nb::module_& m) {
  m.def("take", taken, nb::arg("x"), nb::arg("indices"), nb::arg("axis").none() = nb::none(),
        nb::arg("out") = nb::none(), nb::arg("mode") = "raise",
        nb::sig("def take(x: Array, indices: Indices, /, axis: int | None = None, out: Array | "
                "tuple[Array] | None = None, mode: str = 'raise') -> Array"),
        take_text);
  m.def("put", written, nb::arg("x"), nb::arg("indices"), nb::arg("values"),
        nb::arg("mode") = "raise",
        nb::sig("def put(x: Array, indices: Indices, values: typing.Any, /, mode: str = 'raise') "
                "-> None"),
        put_text);
  bind_along_axis(m);
  bind_nonzero(m);
  auto c = nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"));
  c.def(
      "take",
      [](nb::handle x, nb::handle indices, std::optional<std::int64_t> axis, nb::handle out,
         const std::string& mode) { return taken(x, indices, axis, out, mode); },
      nb::arg("indices"), nb::arg("axis").none() = nb::none(), nb::arg("out") = nb::none(),
      nb::arg("mode") = "raise",
      nb::sig("def take(self, indices: Indices, axis: int | None = None, out: Array | tuple[Array] "
              "| None = None, mode: str = 'raise') -> Array"),
      "See isthmus.take.");
  c.def(
      "put",
      [](nb::handle x, nb::handle indices, nb::handle values, const std::string& mode) {
        written(x, indices, values, mode);
      },
      nb::arg("indices"), nb::arg("values"), nb::arg("mode") = "raise",
      nb::sig("def put(self, indices: Indices, values: typing.Any, mode: str = 'raise') -> None"),
      "See isthmus.put.");
  c.def(
      "nonzero", [](nb::handle x) { return tuple_of(nonzero(require_array("nonzero", x.ptr()))); },
      nb::sig("def nonzero(self) -> tuple[Array, ...]"), "See isthmus.nonzero.");
}

}  // namespace isthmus::python
