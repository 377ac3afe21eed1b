// bind_counting.cpp: elements counted and added up by an index.
#include "isthmus/array/sort/counting.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_list.h"
#include "python/src/object/beside.h"
#include "python/src/object/flag.h"
#include "python/src/object/indexing.h"

namespace isthmus::python {

namespace {

using Range = std::optional<std::pair<double, double>>;

Range range_of(nb::handle object) {
  std::pair<double, double> range;
  if (object.is_none()) return {};
  check(!PyUnicode_Check(object.ptr()) && nb::try_cast(object, range), Errc::type,
        "histogram: range: expected two numbers, (first, last), or None, not {}",
        nb::repr(object).c_str());
  return range;
}

Histogram histogram_of(nb::handle object, nb::handle bins, const Range& range, Flag density,
                       nb::handle weights) {
  const Array& x = require_array("histogram", object.ptr());
  const HistogramOptions options{optional_array_beside("histogram: weights", weights, x), density};
  if (PyUnicode_Check(bins.ptr())) return histogram(x, utf8_of(bins), range, options);
  if (PyIndex_Check(bins.ptr()) && !is_array(bins.ptr()) && !PySequence_Check(bins.ptr()))
    return histogram(x, dims_of("histogram: bins", bins)[0], range, options);
  const Array edges = array_beside("histogram: bins", bins, x);
  check(edges.ndim() > 0, Errc::type,
        "histogram: bins: expected an integer, the name of a rule, or edges, not {}",
        found_as(bins));
  return histogram(x, edges, options);
}

}  // namespace

void bind_counting(nb::module_& m) {
  m.def(
      "bincount",
      [](nb::handle x, nb::handle weights, std::int64_t minlength) {
        const Array& array = require_array("bincount", x.ptr());
        const auto each = optional_array_beside("bincount: weights", weights, array);
        return nb::steal(wrap(bincount(array, each, minlength)));
      },
      nb::arg("x"), nb::arg("weights") = nb::none(), nb::arg("minlength") = 0,
      nb::sig("def bincount(x: Array, /, weights: Elements | None = None, minlength: int = 0) -> "
              "Array"),
      "How often each number from 0 to the maximum of x occurs in x, or the sums of its "
      "weights.\n\n"
      "Shapes: x has one axis, and weights has the shape of x; the result has max(x) + 1 elements, "
      "or minlength if that is more.\n"
      "Returns: new memory: int64, or the default real dtype with weights. CPUs add weights one "
      "after another, as NumPy does, and GPUs in pairs: the bits are the same on every run.\n"
      "Waits: for x, since its maximum determines the length.\n"
      "Raises: TypeError if x is not of integers, ValueError for negative numbers and wrong "
      "shapes.\n"
      "Source: NumPy 2, bincount.");
  m.def(
      "histogram",
      [](nb::handle x, nb::handle bins, nb::handle range, Flag density, nb::handle weights) {
        const Histogram made = histogram_of(x, bins, range_of(range), density, weights);
        return tuple_of(std::vector<Array>{made.counts, made.edges});
      },
      nb::arg("x"), nb::arg("bins") = 10, nb::arg("range").none() = nb::none(),
      nb::arg("density") = false, nb::arg("weights") = nb::none(),
      nb::sig("def histogram(x: Array, /, bins: int | str | Elements = 10, range: "
              "tuple[float, float] | None = None, density: bool = False, weights: Elements | "
              "None = None) -> tuple[Array, Array]"),
      "Number of elements in each bin, and the edges of the bins: (counts, edges). A bin includes "
      "its lower edge, and the last bin both edges. Elements outside all bins are not counted, nor "
      "is NaN.\n\n"
      "bins: the number of bins of equal width, from range[0] to range[1] or from the smallest "
      "element to the largest; a rule that determines that number, \"auto\", \"doane\", \"fd\", "
      "\"rice\", \"scott\", \"sqrt\" or \"sturges\"; or edges, which must not decrease.\n"
      "density: normalize so that the integral over all bins is 1.\n"
      "weights: the weight of each element, summed as in bincount(); counts have their dtype.\n"
      "Returns: new memory; counts are int64, calculated edges have the dtype of x if that is a "
      "float dtype, else the default real dtype.\n"
      "Waits: for the smallest and the largest element, or for the edges.\n"
      "Raises: ValueError for no bins, an unknown rule, a range that is not finite, that "
      "decreases, or whose edges would be equal or infinite, edges that decrease, and wrong "
      "shapes; TypeError for complex and struct dtypes and for a rule with weights.\n"
      "Source: NumPy 2, histogram.");
  m.def(
      "add_at",
      [](nb::handle x, nb::handle indices, nb::handle values) {
        const Array& array = require_array("add_at", x.ptr());
        const OperandBeside added("add_at: values", values, array);
        add_at(array, std::span<const IndexEntry>(entries_of("add_at", array, indices.ptr())),
               added.value());
      },
      nb::arg("x"), nb::arg("indices").none(), nb::arg("values"),
      nb::sig(
          "def add_at(x: Array, indices: Index | tuple[Index, ...], values: Elements, /) -> None"),
      "x[indices] += values, but an element that is indexed several times receives all its values. "
      "Integers are exact. CPUs add floats one after another, as NumPy does, and GPUs in pairs: "
      "the bits are the same on every run. Half precision, and values of a wider dtype than x, are "
      "added in pairs and rounded once.\n\n"
      "indices: as for x[...]; a tuple has one entry for each axis.\n"
      "Shapes: values broadcast to the shape of x[indices].\n"
      "Returns: None; x is modified.\n"
      "Waits: as put.\n"
      "Raises: as x[indices] for the indices, TypeError if the sum has a higher kind of dtype than "
      "x, ValueError for read-only memory, a 0-d array and shapes that do not broadcast.\n"
      "Source: NumPy 2, add.at.");
}

}  // namespace isthmus::python
