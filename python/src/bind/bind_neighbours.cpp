// bind_neighbours.cpp: derivatives, margins, windows, diagonals.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <list>

#include "isthmus/array/arrange/diagonal.h"
#include "isthmus/array/arrange/neighbours.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_list.h"
#include "python/src/object/beside.h"

namespace isthmus::python {

namespace {

PadWidth pair_of(nb::handle object) {
  const Dims numbers = dims_of("pad", object);
  check(numbers.size() == 1 || numbers.size() == 2, Errc::value,
        "pad: {} widths for one axis; one, or one before and one after", numbers.size());
  return {numbers[0], numbers[numbers.size() - 1]};
}

/// NumPy's: one number, one pair, a pair for each axis, or a dict of those that have one.
std::vector<PadWidth> widths_of(const Array& x, nb::handle object) {
  if (PyDict_Check(object.ptr())) {
    std::vector<PadWidth> widths(static_cast<std::size_t>(x.ndim()), PadWidth{0, 0});
    for (const auto& [axis, width] : nb::borrow<nb::dict>(object))
      for (const std::int64_t at : dims_of("pad", axis))
        widths[static_cast<std::size_t>(detail::checked_axis("pad", at, x.ndim()))] =
            pair_of(width);
    return widths;
  }
  if (is_int(object)) return {pair_of(object)};
  check(is_array(object.ptr()) || PySequence_Check(object.ptr()), Errc::type,
        "pad: expected an int, pairs of ints or a dict of them as widths, not {}",
        found_as(object));
  std::vector<PadWidth> widths;
  bool is_pair = true;
  for (nb::handle item : nb::borrow(object)) {
    is_pair = is_pair && is_int(item);
    widths.push_back(pair_of(item));
  }
  if (is_pair && !widths.empty()) return {pair_of(object)};
  return widths;
}

/// The numbers of one axis, or all; nothing unless it is one number, or a list of one or two.
std::optional<PadConstant> constants_of_axis(nb::handle object) {
  if (const std::optional<Value> one = value_of(object.ptr())) return PadConstant{*one, *one};
  if (!PySequence_Check(object.ptr())) require_value("pad: constant_values", object.ptr());
  std::vector<Value> numbers;
  for (nb::handle item : nb::borrow(object)) {
    const std::optional<Value> number = value_of(item.ptr());
    if (!number) return {};
    numbers.push_back(*number);
  }
  check(numbers.size() == 1 || numbers.size() == 2, Errc::value,
        "pad: constant_values: {} numbers for one axis; one, or one before and one after",
        numbers.size());
  return PadConstant{numbers.front(), numbers.back()};
}

/// NumPy's: one number, one pair, or a pair for each axis.
std::vector<PadConstant> constants_of(nb::handle object) {
  if (const std::optional<PadConstant> one = constants_of_axis(object)) return {*one};
  std::vector<PadConstant> constants;
  for (nb::handle item : nb::borrow(object)) {
    const std::optional<PadConstant> own = constants_of_axis(item);
    check(own.has_value(), Errc::type,
          "pad: constant_values: expected a number, a pair of numbers, or a pair for each axis");
    constants.push_back(*own);
  }
  return constants;
}

nb::object derivatives(nb::handle x, const nb::args& spacing, nb::handle axis, int edge_order) {
  const Array& array = require_array("gradient", x.ptr());
  std::list<OperandBeside> kept;
  std::vector<Value> distances;
  for (nb::handle item : spacing)
    distances.push_back(kept.emplace_back("gradient: spacing", item, array).value());
  const std::vector<Array> all = gradient(array, distances, axis_set("gradient", axis), edge_order);
  if (all.size() == 1) return nb::steal(wrap(all[0]));
  return tuple_of(all);
}

void define_diagonals(nb::module_& m) {
  define_both(
      m, "diagonal", "offset: int = 0, axis1: int = 0, axis2: int = 1",
      [](nb::handle x, std::int64_t offset, std::int64_t axis1, std::int64_t axis2) {
        return nb::steal(wrap(diagonal(require_array("diagonal", x.ptr()), offset, axis1, axis2)));
      },
      "The diagonals of the matrices that two axes make, as the last axis.\n\noffset: the column "
      "at which they begin, or less than 0 the row.\nReturns: a view, through which x is written "
      "to, unlike NumPy's.\nRaises: ValueError for fewer than two axes, or one axis twice, "
      "IndexError for an axis outside the array.\nSource: NumPy 2, diagonal.",
      nb::arg("offset") = 0, nb::arg("axis1") = 0, nb::arg("axis2") = 1);
  define_both(
      m, "trace",
      "offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: object | None = None, out: Array | "
      "tuple[Array] | None = None",
      [](nb::handle x, std::int64_t offset, std::int64_t axis1, std::int64_t axis2,
         nb::handle dtype, nb::handle out) {
        const Array& array = require_array("trace", x.ptr());
        return made_into("trace", out,
                         [&] { return trace(array, offset, axis1, axis2, optional_dtype(dtype)); });
      },
      "The sums of the diagonals, as sum gives them.\n\noffset, axis1, axis2: as of "
      "diagonal.\nReturns: new memory, pending, or `out`.\nRaises: as diagonal and sum.\nSource: "
      "NumPy 2, trace.",
      nb::arg("offset") = 0, nb::arg("axis1") = 0, nb::arg("axis2") = 1,
      nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none());
}

}  // namespace

void bind_neighbours(nb::module_& m) {
  m.def(
      "gradient",
      [](nb::handle x, const nb::args& spacing, nb::handle axis, int edge_order) {
        return derivatives(x, spacing, axis, edge_order);
      },
      nb::arg("x"), nb::arg("spacing"), nb::kw_only(), nb::arg("axis") = nb::none(),
      nb::arg("edge_order") = 1,
      nb::sig("def gradient(x: Array, /, *spacing: Elements, axis: Axes | None = None, "
              "edge_order: int = 1) -> Array | tuple[Array, ...]"),
      "Derivatives along these axes, or all: differences of neighbours, of the second order inside "
      "and one-sided at both ends.\n\nspacing: the distance of the elements, for all axes or one "
      "for each; or, for each, an array of their coordinates. 1 without it.\nedge_order: the "
      "order at the ends, 1 or 2.\nReturns: one array for each axis in a tuple, or for one axis "
      "the array; new memory, pending.\nRaises: TypeError for bools "
      "and for another number of distances, ValueError for axes shorter than edge_order + 1, "
      "coordinates of another shape and another edge_order, IndexError for an axis outside the "
      "array.\nSource: NumPy 2, gradient.");
  m.def(
      "pad",
      [](nb::handle x, nb::handle pad_width, const std::string& mode, nb::handle constant) {
        const Array& array = require_array("pad", x.ptr());
        const std::vector<PadConstant> constants = constants_of(constant);
        return nb::steal(wrap(pad(array, widths_of(array, pad_width), mode, constants)));
      },
      nb::arg("x"), nb::arg("pad_width"), nb::arg("mode") = "constant", nb::kw_only(),
      nb::arg("constant_values") = 0,
      nb::sig("def pad(x: Array, pad_width: Indices | dict[int, int | tuple[int, int]], "
              "mode: str = 'constant', *, constant_values: Elements = 0) -> Array"),
      "The array with a margin.\n\npad_width: how many elements come before and after an axis: "
      "one number, one pair, a pair for each axis, or a dict with those of some axes.\nmode: "
      "\"constant\" for the number constant_values, or one pair of them for all axes or for each, "
      "\"edge\" for the element at the edge, "
      "\"reflect\" and \"symmetric\" for the elements mirrored, without and with that at the "
      "edge, \"wrap\" for those from the other end.\nReturns: new memory; the work starts at the "
      "call.\nWaits: for constant_values, if that is an array.\nRaises: ValueError for negative "
      "widths, another number of them, another mode, and an axis without elements in all modes "
      "but \"constant\"; TypeError for constants that are no numbers.\nSource: NumPy 2, pad.");
  m.def(
      "sliding_window_view",
      [](nb::handle x, nb::handle window_shape, nb::handle axis) {
        const Array& array = require_array("sliding_window_view", x.ptr());
        return nb::steal(
            wrap(sliding_window_view(array, dims_of("sliding_window_view", window_shape),
                                     axis_set("sliding_window_view", axis))));
      },
      nb::arg("x"), nb::arg("window_shape"), nb::arg("axis") = nb::none(),
      nb::sig("def sliding_window_view(x: Array, window_shape: Shape, axis: Axes | None = None) -> "
              "Array"),
      "All windows of this shape into x.\n\nShapes: these axes, or all, get as many indices as "
      "there are windows along them; new axes at the end have the elements of each. An axis may "
      "be repeated.\nReturns: a read-only view; nothing is calculated.\nRaises: ValueError for "
      "another number of lengths, negative ones and those longer than the axis, IndexError for "
      "an axis outside the array.\nSource: NumPy 2, lib.stride_tricks.sliding_window_view.");
  define_diagonals(m);
}

}  // namespace isthmus::python
