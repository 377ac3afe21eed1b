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
      "How often each number from 0 to the greatest of x is in x, or the sums of its weights.\n\n"
      "Shapes: x has one axis, weights its shape; the result has the greatest number + 1, or "
      "minlength if that is more.\nReturns: new memory: int64, or the default real dtype with "
      "weights. CPUs add these up one after another, as NumPy does, and GPUs in pairs: the bits "
      "are the same on every run.\nWaits: for x, since its greatest number decides the "
      "length.\nRaises: "
      "TypeError for what are no integers, ValueError for negative numbers, other axes or "
      "shapes.\nSource: NumPy 2, bincount.");
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
      "How many elements are in each bin, and the edges between bins: (counts, edges). A bin has "
      "its lower edge, and the last one both; what is in none is not counted, nor is NaN.\n\nbins: "
      "a number of bins of one width, from range[0] to range[1] or from the smallest element to "
      "the largest; a rule that finds it, \"auto\", \"doane\", \"fd\", \"rice\", \"scott\", "
      "\"sqrt\" or \"sturges\"; or edges, which do not fall.\ndensity: the integral over all bins "
      "is "
      "1.\nweights: what each element counts, added up as in bincount(); counts have their "
      "dtype.\nReturns: new memory; counts are int64, edges in the dtype of floats, else the "
      "default real one.\nWaits: for the smallest and the largest element, or for edges.\nRaises: "
      "ValueError for no bins, another rule, a range that is not finite, that falls, or whose "
      "edges "
      "would be equal or infinite, edges that fall, other shapes, TypeError for complex and struct "
      "dtypes and for a rule with weights.\nSource: NumPy 2, histogram.");
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
      "x[indices] += values, where an element that is meant several times gets all its values. "
      "Integers are exact. CPUs add floats up one after another, as NumPy does, and GPUs in pairs: "
      "the bits are the same on every run. Halves, and values of a wider dtype than x, are added "
      "up "
      "in pairs and rounded once.\n\nindices: "
      "what x[...] takes; a tuple has one entry for each axis.\nShapes: values broadcast to that "
      "of "
      "x[indices].\nReturns: nothing; x is changed.\nWaits: as put.\nRaises: "
      "as x[indices] for those, TypeError for a sum of a greater family than x, ValueError for "
      "read-only memory, an array without axes and shapes "
      "that do not broadcast.\nSource: NumPy 2, add.at.");
}

}  // namespace isthmus::python
