// bind_quantiles.cpp: medians and quantiles.
#include <nanobind/stl/string.h>

#include "isthmus/array/quantiles.h"
#include "python/src/array_object.h"
#include "python/src/bind.h"

namespace isthmus::python {

namespace {

using detail::format;

AxisSet axis_set(const char* who, nb::handle axis) {
  const auto axes = axes_of(who, axis);
  return axes ? AxisSet(*axes) : AxisSet(all_axes);
}

double number(const char* who, nb::handle object) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    detail::fail(Errc::type, "{}: q: {} is no real number", who, nb::repr(object).c_str());
  }
  return value;
}

template <Array (*calculate)(const Array&, const AxisSet&, bool)>
void define_median(nb::module_& m, const char* name, const char* summary) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, bool keepdims) {
        const AxisSet axes = axis_set(name, axis);
        return nb::steal(wrap(calculate(require_array(name, x.ptr()), axes, keepdims)));
      },
      nb::arg("x"), nb::arg("axis") = nb::none(), nb::kw_only(), nb::arg("keepdims") = false,
      nb::sig(format("def {}(x: Array, /, axis: Axes | None = None, *, keepdims: bool = False) -> "
                     "Array",
                     name)
                  .c_str()),
      format("{} Floats and complex numbers keep their dtype, others give the default real one; "
             "complex numbers are in the order of sort().\n\nShapes: without these axes, or with "
             "length 1 for keepdims.\nReturns: new memory, pending.\nWaits: as sort().\nRaises: "
             "IndexError for an axis outside the array, TypeError for struct dtypes.\nSource: "
             "NumPy 2, {}.",
             summary, name)
          .c_str());
}

using One = Array (*)(const Array&, double, const AxisSet&, bool, std::string_view);
using Several = Array (*)(const Array&, std::span<const double>, const AxisSet&, bool,
                          std::string_view);

void define_quantile(nb::module_& m, const char* name, const char* most, One one, Several several) {
  m.def(
      name,
      [=](nb::handle x, nb::handle q, nb::handle axis, bool keepdims, const std::string& method) {
        const Array& array = require_array(name, x.ptr());
        const AxisSet axes = axis_set(name, axis);
        const nb::object parts = is_array(q.ptr()) ? nb::object(q.attr("tolist")()) : nb::borrow(q);
        if (!PySequence_Check(parts.ptr()))
          return nb::steal(wrap(one(array, number(name, parts), axes, keepdims, method)));
        std::vector<double> numbers;
        for (nb::handle item : parts) numbers.push_back(number(name, item));
        return nb::steal(wrap(several(array, numbers, axes, keepdims, method)));
      },
      nb::arg("x"), nb::arg("q"), nb::arg("axis") = nb::none(), nb::kw_only(),
      nb::arg("keepdims") = false, nb::arg("method") = "linear",
      nb::sig(format("def {}(x: Array, /, q: Real | collections.abc.Sequence[Real] | Array, axis: "
                     "Axes | None = None, *, keepdims: bool = False, method: str = 'linear') -> "
                     "Array",
                     name)
                  .c_str()),
      format("What lies at the part q, from 0 to {}, of the way from the smallest element to the "
             "largest, in their order; NaN if any element is NaN.\n\nmethod: between two elements "
             "\"linear\" is in between, \"lower\" and \"higher\" one of them, \"nearest\" the "
             "nearer one, of two as near the one with an even index, \"midpoint\" the middle of "
             "both. An element that counts nothing may be infinite, and so may both; there NumPy "
             "has NaN.\nShapes: without these axes, or with length 1 for keepdims; several q "
             "along a new first axis.\nReturns: new memory, pending. Floats keep their dtype, "
             "whatever that of q is; others give the default real one for \"linear\" and "
             "\"midpoint\".\nWaits: for q if it is an Array, else as sort().\nRaises: ValueError "
             "for another q or method, or no elements, IndexError for an axis outside the array, "
             "TypeError for complex and struct dtypes.\nSource: NumPy 2, {}.",
             most, name)
          .c_str());
}

}  // namespace

void bind_quantiles(nb::module_& m) {
  define_median<median>(m, "median",
                        "The middle of the elements in order, or the mean of the two in the "
                        "middle; NaN if any is NaN, or if there are none.");
  define_median<nanmedian>(m, "nanmedian",
                           "The median of the elements that are not NaN; NaN where there are "
                           "none.");
  define_quantile(m, "quantile", "1", quantile, quantile);
  define_quantile(m, "percentile", "100", percentile, percentile);
}

}  // namespace isthmus::python
