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

/// One number, or one before and one after. Throws type for bools, which NumPy refuses too.
PadWidth pair_of(const char* who, nb::handle object) {
  const auto check_int = [&](nb::handle item) {
    check(!PyBool_Check(item.ptr()), Errc::type, "{}: expected ints, not a bool", who);
  };
  check_int(object);
  if (PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()))
    for (nb::handle item : nb::borrow(object)) check_int(item);
  const Dims numbers = dims_of(who, object);
  check(numbers.size() == 1 || numbers.size() == 2, Errc::value,
        "{}: {} numbers for one axis; expected one, or one before and one after", who,
        numbers.size());
  return {numbers[0], numbers[numbers.size() - 1]};
}

/// NumPy's: one number, one pair, or a pair for each axis.
std::vector<PadWidth> pairs_of(const char* who, nb::handle object, const char* wanted) {
  if (is_int(object)) return {pair_of(who, object)};
  const bool has_items = is_array(object.ptr()) || PySequence_Check(object.ptr());
  check(has_items && !PyUnicode_Check(object.ptr()), Errc::type, "{}: expected {}, not {}", who,
        wanted, found_as(object));
  std::vector<PadWidth> pairs;
  bool is_pair = true;
  for (nb::handle item : nb::borrow(object)) {
    is_pair = is_pair && is_int(item);
    pairs.push_back(pair_of(who, item));
  }
  if (is_pair && !pairs.empty()) return {pair_of(who, object)};
  return pairs;
}

/// The same, or a dict of those that have one.
std::vector<PadWidth> widths_of(const Array& x, nb::handle object) {
  constexpr auto who = "pad: pad_width";
  if (!PyDict_Check(object.ptr()))
    return pairs_of(who, object, "an int, pairs of ints or a dict of them");
  std::vector<PadWidth> widths(static_cast<std::size_t>(x.ndim()), PadWidth{0, 0});
  for (const auto& [axis, width] : nb::borrow<nb::dict>(object))
    for (const std::int64_t at : dims_of("pad", axis))
      widths[static_cast<std::size_t>(detail::checked_axis("pad", at, x.ndim()))] =
          pair_of(who, width);
  return widths;
}

/// Of how many elements; nothing for None.
std::vector<PadWidth> lengths_of(nb::handle object) {
  if (object.is_none()) return {};
  std::vector<PadWidth> lengths = pairs_of("pad: stat_length", object, "an int or pairs of ints");
  check(!lengths.empty(), Errc::value,
        "pad: stat_length: no numbers; expected one, a pair, a pair for each axis, or None");
  return lengths;
}

/// The numbers of one axis, or all; nothing unless it is one number, or a list of one or two.
std::optional<PadConstant> numbers_of_axis(const char* who, nb::handle object) {
  if (const std::optional<Value> one = value_of(object.ptr())) return PadConstant{*one, *one};
  if (!PySequence_Check(object.ptr())) require_value(who, object.ptr());
  std::vector<Value> numbers;
  for (nb::handle item : nb::borrow(object)) {
    const std::optional<Value> number = value_of(item.ptr());
    if (!number) return {};
    numbers.push_back(*number);
  }
  check(numbers.size() == 1 || numbers.size() == 2, Errc::value,
        "{}: {} numbers for one axis; expected one, or one before and one after", who,
        numbers.size());
  return PadConstant{numbers.front(), numbers.back()};
}

/// NumPy's: one number, one pair, or a pair for each axis; nothing for None.
std::vector<PadConstant> numbers_of(const char* who, nb::handle object) {
  if (object.is_none()) return {};
  if (const std::optional<PadConstant> one = numbers_of_axis(who, object)) return {*one};
  std::vector<PadConstant> numbers;
  for (nb::handle item : nb::borrow(object)) {
    const std::optional<PadConstant> own = numbers_of_axis(who, item);
    check(own.has_value(), Errc::type,
          "{}: expected a number, a pair of numbers, or a pair for each axis", who);
    numbers.push_back(*own);
  }
  return numbers;
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
      "The diagonals of the matrices in two axes, as the last axis.\n\n"
      "offset: the column at which they start, or, if negative, minus the row.\n"
      "Returns: a view; unlike NumPy's it is writable.\n"
      "Raises: ValueError for fewer than two axes, or one axis twice, IndexError for an axis out "
      "of range.\n"
      "Source: NumPy 2, diagonal.",
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
      "The sums of the diagonals, as sum returns them.\n\n"
      "offset, axis1, axis2: as for diagonal.\n"
      "Returns: new memory, pending, or `out`.\n"
      "Raises: as diagonal and sum.\n"
      "Source: NumPy 2, trace.",
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
      "Derivatives along these axes, or all: second-order differences of neighbours inside, and "
      "one-sided differences at both ends.\n\n"
      "spacing: the distance between elements, one for all axes or one for each; or, for each "
      "axis, an array of coordinates. Default: 1.\n"
      "edge_order: the order of the differences at the ends, 1 or 2.\n"
      "Returns: a tuple of one array for each axis, or for one axis the array; new memory, "
      "pending.\n"
      "Raises: TypeError for bools and for a wrong number of distances, ValueError for axes "
      "shorter than edge_order + 1, coordinates of a wrong shape and another edge_order, "
      "IndexError for an axis out of range.\n"
      "Source: NumPy 2, gradient.");
  m.def(
      "pad",
      [](nb::handle x, nb::handle pad_width, const std::string& mode, nb::handle constants,
         nb::handle ends, nb::handle lengths, const std::optional<std::string>& reflect_type) {
        const Array& array = require_array("pad", x.ptr());
        const PadOptions options{numbers_of("pad: constant_values", constants),
                                 numbers_of("pad: end_values", ends), lengths_of(lengths),
                                 reflect_type ? std::string_view(*reflect_type) : ""};
        check(!reflect_type || !reflect_type->empty(), Errc::value,
              "pad: reflect_type: '' is neither even nor odd");
        return nb::steal(wrap(pad(array, widths_of(array, pad_width), mode, options)));
      },
      nb::arg("x"), nb::arg("pad_width"), nb::arg("mode") = "constant", nb::kw_only(),
      nb::arg("constant_values") = nb::none(), nb::arg("end_values") = nb::none(),
      nb::arg("stat_length") = nb::none(), nb::arg("reflect_type") = nb::none(),
      nb::sig("def pad(x: Array, pad_width: Indices | dict[int, int | tuple[int, int]], "
              "mode: str = 'constant', *, constant_values: Elements | None = None, "
              "end_values: Elements | None = None, stat_length: Indices | None = None, "
              "reflect_type: str | None = None) -> Array"),
      "The array with a margin added at its edges.\n\n"
      "pad_width: how many elements to add before and after each axis: one number, one pair, a "
      "pair for each axis, or a dict with those of some axes.\n"
      "mode: \"constant\": the number constant_values; \"edge\": the element at the edge; "
      "\"linear_ramp\": even steps from the element at the edge to the number end_values, rounded "
      "down for integers; \"mean\", \"median\", \"maximum\" and \"minimum\": those along the axis, "
      "rounded for integers, halves to even; \"reflect\" and \"symmetric\": the elements mirrored, "
      "without and with the one at the edge; \"wrap\": the elements from the other end; \"empty\": "
      "undefined elements.\n"
      "constant_values, end_values: a number, one pair for all axes or one for each. Default: 0.\n"
      "stat_length: the number of elements at the edge of which the mean, median, maximum or "
      "minimum is taken, 1 or more, in the form of pad_width except a dict. Default: all elements, "
      "which also applies where an axis has fewer.\n"
      "reflect_type: \"even\", or \"odd\" for twice the element at the edge minus the mirrored "
      "ones.\n"
      "Returns: new memory; the work starts at the call.\n"
      "Waits: for constant_values and end_values, if they are arrays.\n"
      "Raises: ValueError for negative widths, a wrong number of them, an unknown mode, an "
      "argument that the mode does not take, a stat_length less than 1, and an axis without "
      "elements in all modes but \"constant\" and \"empty\"; TypeError for arguments that are not "
      "numbers, bools as widths, and struct dtypes in modes that calculate.\n"
      "Source: NumPy 2, pad.");
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
      "All windows of this shape on x.\n\n"
      "Shapes: these axes, or all, have one index for each window along them; new axes at the end "
      "hold the elements of each window. An axis may be repeated.\n"
      "Returns: a read-only view; nothing is calculated.\n"
      "Raises: ValueError for a wrong number of lengths, negative lengths and lengths greater than "
      "the axis, IndexError for an axis out of range.\n"
      "Source: NumPy 2, lib.stride_tricks.sliding_window_view.");
  define_diagonals(m);
}

}  // namespace isthmus::python
