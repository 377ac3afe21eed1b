// bind_rearrange.cpp: elements at other places.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/array/arrange/rearrange.h"
#include "isthmus/array/functions.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/object/array_list.h"
#include "python/src/object/beside.h"

namespace isthmus::python {

namespace {

Array rolled(nb::handle x, nb::handle shift, nb::handle axis) {
  const Array& array = require_array("roll", x.ptr());
  const Dims shifts = dims_of("roll", shift);
  const auto axes = axes_of("roll", axis);
  if (axes) return roll(array, shifts, *axes);
  check(shifts.size() == 1, Errc::value, "roll: {} shifts; without axes, expected one",
        shifts.size());
  return roll(array, shifts[0]);
}

Array repeated(nb::handle x, nb::handle repeats, std::optional<std::int64_t> axis) {
  const Array& array = require_array("repeat", x.ptr());
  if (PyLong_Check(repeats.ptr())) return repeat(array, dims_of("repeat", repeats)[0], axis);
  const Array counts = array_beside("repeat: repeats", repeats, array);
  // an empty list has no dtype of its own
  return repeat(array, counts.size() ? counts : astype(counts, TypeId::int64, false), axis);
}

nb::tuple parts(nb::handle x, nb::handle where, std::int64_t axis) {
  const Array& array = require_array("split", x.ptr());
  const Dims numbers = dims_of("split", where);
  return tuple_of(is_int(where) ? split(array, numbers[0], axis) : split(array, numbers, axis));
}

Array differences(nb::handle x, std::int64_t axis, std::int64_t n, nb::handle prepend,
                  nb::handle append) {
  const auto joined = [](nb::handle object) {
    return object.is_none() ? std::nullopt : std::optional(require_value("diff", object.ptr()));
  };
  return diff(require_array("diff", x.ptr()), n, axis, joined(prepend), joined(append));
}

template <Array (*triangle)(const Array&, AnyInteger)>
void define_triangle(nb::module_& m, const char* name, const char* what) {
  m.def(
      name,
      [name](nb::handle x, std::int64_t k) {
        return nb::steal(wrap(triangle(require_array(name, x.ptr()), k)));
      },
      nb::arg("x"), nb::arg("k") = 0,
      nb::sig(detail::format("def {}(x: Array, /, k: int = 0) -> Array", name).c_str()),
      detail::format("The elements on the k-th diagonal and {} it, of each matrix in the last two "
                     "axes; zeros elsewhere.\n\n"
                     "Returns: new memory, pending; one kernel.\n"
                     "Raises: ValueError for fewer than two axes.\n"
                     "Source: Array API 2025.12, {}.",
                     what, name)
          .c_str());
}

template <Array (*stack)(std::span<const Array>)>
void define_stack(nb::module_& m, const char* name, const char* summary) {
  m.def(
      name, [name](nb::handle arrays) { return nb::steal(wrap(stack(arrays_of(name, arrays)))); },
      nb::arg("arrays"),
      nb::sig(detail::format("def {}(arrays: collections.abc.Sequence[Array], /) -> Array", name)
                  .c_str()),
      detail::format("{}\n\nReturns: new memory, pending, as concat().\nRaises: ValueError if "
                     "shapes do not fit.\n"
                     "Source: NumPy 2, {}.",
                     summary, name)
          .c_str());
}

}  // namespace

void bind_rearrange(nb::module_& m) {
  m.def(
      "roll",
      [](nb::handle x, nb::handle shift, nb::handle axis) {
        return nb::steal(wrap(rolled(x, shift, axis)));
      },
      nb::arg("x"), nb::arg("shift"), nb::arg("axis") = nb::none(),
      nb::sig("def roll(x: Array, /, shift: Axes, axis: Axes | None = None) -> Array"),
      "The elements shifted along these axes, or in row-major order; elements past the end "
      "reappear at the start.\n\n"
      "shift: the number of positions, one for all axes or one for each.\n"
      "Returns: new memory.\n"
      "Raises: ValueError for a wrong number of shifts, IndexError for an axis out of range.\n"
      "Source: Array API 2025.12, roll.");
  define_both(
      m, "repeat", "repeats: Elements, axis: int | None = None",
      [](nb::handle x, nb::handle repeats, std::optional<std::int64_t> axis) {
        return nb::steal(wrap(repeated(x, repeats, axis)));
      },
      "Repeats each element along an axis; flattens the array if the axis is None.\n\n"
      "repeats: an integer, or one for each element of the axis.\n"
      "Returns: new memory.\n"
      "Waits: for `repeats`.\n"
      "Raises: ValueError for negative numbers, or if their count is not the length of the axis, "
      "TypeError if `repeats` are not integers.\n"
      "Source: Array API 2025.12, repeat.",
      nb::arg("repeats"), nb::arg("axis").none() = nb::none());
  m.def(
      "tile",
      [](nb::handle x, nb::handle repetitions) {
        const Dims times = dims_of("tile", repetitions);
        return nb::steal(wrap(tile(require_array("tile", x.ptr()), times)));
      },
      nb::arg("x"), nb::arg("repetitions"),
      nb::sig("def tile(x: Array, repetitions: Axes, /) -> Array"),
      "Repeats the whole array along each axis; axes that are missing on either side are "
      "prepended.\n\n"
      "Returns: new memory.\n"
      "Raises: ValueError for a negative number.\n"
      "Source: Array API 2025.12, tile.");
  m.def(
      "split",
      [](nb::handle x, nb::handle where, std::int64_t axis) { return parts(x, where, axis); },
      nb::arg("x"), nb::arg("indices_or_sections"), nb::arg("axis") = 0,
      nb::sig("def split(x: Array, indices_or_sections: Indices, /, "
              "axis: int = 0) -> tuple[Array, ...]"),
      "Splits the array along an axis: into this number of equal parts, or before each of these "
      "indices.\n\n"
      "Returns: views.\n"
      "Raises: ValueError if the axis does not divide into equal parts, IndexError for a bad "
      "axis.\n"
      "Source: NumPy 2, split.");
  define_stack<hstack>(m, "hstack",
                       "Joins the arrays side by side, along the second axis, or the only one.");
  define_stack<vstack>(m, "vstack",
                       "Joins the arrays along the first axis; a 0-d or 1-d array is a row.");
  m.def(
      "meshgrid",
      [](const nb::args& arrays, const std::string& indexing) {
        return tuple_of(meshgrid(arrays_of("meshgrid", arrays), indexing));
      },
      nb::arg("arrays"), nb::kw_only(), nb::arg("indexing") = "xy",
      nb::sig("def meshgrid(*arrays: Array, indexing: str = 'xy') -> tuple[Array, ...]"),
      "Broadcasts 1-d arrays to the grid that they span: with \"xy\" the axis of the second array "
      "comes first, with \"ij\" that of the first.\n\n"
      "Returns: read-only views.\n"
      "Raises: ValueError for arrays of more axes, or another indexing.\n"
      "Source: Array API 2025.12, meshgrid.");
  define_triangle<tril>(m, "tril", "below");
  define_triangle<triu>(m, "triu", "above");
  m.def(
      "diff",
      [](nb::handle x, std::int64_t n, std::int64_t axis, nb::handle prepend, nb::handle append) {
        return nb::steal(wrap(differences(x, axis, n, prepend, append)));
      },
      nb::arg("x"), nb::arg("n") = 1, nb::arg("axis") = -1, nb::arg("prepend") = nb::none(),
      nb::arg("append") = nb::none(),
      nb::sig("def diff(x: Array, /, n: int = 1, axis: int = -1, prepend: Array | Number | "
              "None = None, append: Array | Number | None = None) -> Array"),
      "Differences of neighbours along an axis, repeated n times; for bools, whether they "
      "differ.\n\n"
      "prepend, append: joined to the axis first; a number is one element, broadcast along the "
      "other axes.\n"
      "Returns: new memory, pending; x itself for n = 0.\n"
      "Raises: ValueError for a negative n, or shapes that do not fit.\n"
      "Source: Array API 2025.12, diff; NumPy 2 for numbers.");
}

}  // namespace isthmus::python
