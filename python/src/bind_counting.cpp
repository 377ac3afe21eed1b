// bind_counting.cpp: elements counted and added up by an index.
#include "isthmus/array/counting.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "isthmus/array/place.h"
#include "python/src/array_list.h"
#include "python/src/bind.h"

namespace isthmus::python {

namespace {

/// An Array itself, or one made of the object beside it.
Array array_beside(const char* who, const Array& x, nb::handle object) {
  if (is_array(object.ptr())) return array_of(object.ptr());
  const bool is_text = PyUnicode_Check(object.ptr());
  check(!is_text, Errc::type, "{}: a text; numbers are needed", who);
  const InContextOf meanwhile(x);
  const nb::object make = nb::module_::import_("isthmus").attr("asarray");
  const nb::object made = make(object, nb::arg("device") = x.device());
  return array_of(made.ptr());
}

std::optional<Array> optional_array(const char* who, nb::handle object) {
  if (object.is_none()) return std::nullopt;
  return require_array(who, object.ptr());
}

Histogram histogram_of(nb::handle object, nb::handle bins,
                       std::optional<std::pair<double, double>> range, bool density,
                       nb::handle weights) {
  const Array& x = require_array("histogram", object.ptr());
  const HistogramOptions options{optional_array("histogram: weights", weights), density};
  if (PyIndex_Check(bins.ptr()) && !is_array(bins.ptr()) && !PySequence_Check(bins.ptr()))
    return histogram(x, dims_of("histogram: bins", bins)[0], range, options);
  return histogram(x, array_beside("histogram: bins", x, bins), options);
}

}  // namespace

void bind_counting(nb::module_& m) {
  m.def(
      "bincount",
      [](nb::handle x, nb::handle weights, std::int64_t minlength) {
        return nb::steal(wrap(bincount(require_array("bincount", x.ptr()),
                                       optional_array("bincount: weights", weights), minlength)));
      },
      nb::arg("x"), nb::arg("weights") = nb::none(), nb::arg("minlength") = 0,
      nb::sig("def bincount(x: Array, /, weights: Array | None = None, minlength: int = 0) -> "
              "Array"),
      "How often each number from 0 to the greatest of x is in x, or the sums of its weights.\n\n"
      "Shapes: x has one axis, weights its shape; the result has the greatest number + 1, or "
      "minlength if that is more.\nReturns: new memory: int64, or the default real dtype with "
      "weights, which are added up in an order that x alone decides, with the same bits on every "
      "run and device.\nWaits: for x, since its greatest number decides the length.\nRaises: "
      "TypeError for what are no integers, ValueError for negative numbers, other axes or "
      "shapes.\nSource: NumPy 2, bincount.");
  m.def(
      "histogram",
      [](nb::handle x, nb::handle bins, std::optional<std::pair<double, double>> range,
         bool density, nb::handle weights) {
        const Histogram made = histogram_of(x, bins, range, density, weights);
        return tuple_of(std::vector<Array>{made.counts, made.edges});
      },
      nb::arg("x"), nb::arg("bins") = 10, nb::arg("range").none() = nb::none(),
      nb::arg("density") = false, nb::arg("weights") = nb::none(),
      nb::sig("def histogram(x: Array, /, bins: int | collections.abc.Sequence[Real] | Array = "
              "10, range: tuple[float, float] | None = None, density: bool = False, weights: "
              "Array | None = None) -> tuple[Array, Array]"),
      "How many elements are in each bin, and the edges between bins: (counts, edges). A bin has "
      "its lower edge, and the last one both; what is in none is not counted, nor is NaN.\n\nbins: "
      "a number of bins of one width, from range[0] to range[1] or from the smallest element to "
      "the largest; or edges, which do not fall.\ndensity: the integral over all bins is "
      "1.\nweights: what each element counts, added up as in bincount(); counts have their "
      "dtype.\nReturns: new memory; counts are int64, edges in the dtype of floats, else the "
      "default real one.\nWaits: for the smallest and the largest element, or for edges.\nRaises: "
      "ValueError for no bins, a range that is not finite or that falls, edges that fall, other "
      "shapes, TypeError for complex and struct dtypes.\nSource: NumPy 2, histogram.");
  m.def(
      "add_at",
      [](nb::handle x, nb::handle indices, nb::handle values) {
        const Array& array = require_array("add_at", x.ptr());
        const Array at = array_beside("add_at: indices", array, indices);
        add_at(array, at, require_value("add_at", values.ptr()));
      },
      nb::arg("x"), nb::arg("indices"), nb::arg("values"),
      nb::sig("def add_at(x: Array, indices: Array | int | collections.abc.Sequence[int], values: "
              "Array | Number, /) -> None"),
      "x[indices] += values along the first axis, where an index that is there several times adds "
      "all its values. Integers are exact; floats are added up in an order that the indices alone "
      "decide, halves in float32, with the same bits on every run and device.\n\nShapes: values "
      "broadcast to the shape of the indices followed by that of x's other axes. Negative indices "
      "count from the end.\nReturns: nothing; x is changed.\nWaits: for the indices.\nRaises: "
      "IndexError for one that is outside, TypeError for indices that are no integers or a sum of "
      "a greater family than x, ValueError for read-only memory, an array without axes and shapes "
      "that do not broadcast.\nSource: NumPy 2, add.at.");
}

}  // namespace isthmus::python
