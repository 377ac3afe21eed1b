// bind_quantiles.cpp: medians and quantiles.
#include <nanobind/stl/string.h>

#include "isthmus/array/sort/quantiles.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/object/array_object.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

using detail::check, detail::fail, detail::format;

/// q as numbers in their shape, on the host.
Array parts_of(const char* who, nb::handle q) {
  if (is_array(q.ptr())) return array_of(q.ptr());
  const std::string name = format("{}: q", who);
  const nb::module_ numpy = nb::module_::import_("numpy");
  try {
    const nb::object given = numpy.attr("asarray")(q);
    const std::string kind = nb::cast<std::string>(given.attr("dtype").attr("kind"));
    check(std::string_view("USMmc").find(kind) == std::string_view::npos, Errc::type,
          "{}: {} is neither a real number nor a list of them", name, nb::repr(q).c_str());
    const nb::object numbers = given.attr("astype")(numpy.attr("float64"));
    const nb::object made = nb::module_::import_("isthmus").attr("asarray")(
        numbers, nb::arg("device") = "cpu", nb::arg("copy") = true);
    return array_of(made.ptr());
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    fail(Errc::type, "{}: {} is neither a real number nor a list of them", name,
         nb::repr(q).c_str());
  }
}

template <Array (*calculate)(const Array&, const AxisSet&, Flag)>
void define_median(nb::module_& m, const char* name, const char* summary) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, Flag keepdims) {
        const AxisSet axes = axis_set(name, axis);
        return nb::steal(wrap(calculate(require_array(name, x.ptr()), axes, keepdims)));
      },
      nb::arg("x"), nb::arg("axis") = nb::none(), nb::kw_only(), nb::arg("keepdims") = false,
      nb::sig(format("def {}(x: Array, /, axis: Axes | None = None, *, keepdims: bool = False) -> "
                     "Array",
                     name)
                  .c_str()),
      format("{} Floats and complex numbers keep their dtype, others give the default real dtype; "
             "complex numbers are ordered as by sort().\n\n"
             "Shapes: these axes are removed, or have length 1 with keepdims.\n"
             "Returns: new memory, pending.\n"
             "Waits: on the host for x, which the call calculates and selects from; on a device "
             "the call enqueues that.\n"
             "Raises: IndexError for an axis out of range, TypeError for struct dtypes.\n"
             "Source: NumPy 2, {}.",
             summary, name)
          .c_str());
}

using Quantile = Array (*)(const Array&, const Array&, const AxisSet&, Flag, std::string_view);

void define_quantile(nb::module_& m, const char* name, const char* most, const char* part,
                     const char* of_nan, const char* of_none, Quantile calculate) {
  m.def(
      name,
      [=](nb::handle x, nb::handle q, nb::handle axis, Flag keepdims, const std::string& method) {
        const Array& array = require_array(name, x.ptr());
        const AxisSet axes = axis_set(name, axis);
        return nb::steal(wrap(calculate(array, parts_of(name, q), axes, keepdims, method)));
      },
      nb::arg("x"), nb::arg("q"), nb::arg("axis") = nb::none(), nb::kw_only(),
      nb::arg("keepdims") = false, nb::arg("method") = "linear",
      nb::sig(format("def {}(x: Array, /, q: Elements, axis: Axes | None = None, *, keepdims: "
                     "bool = False, method: str = 'linear') -> Array",
                     name)
                  .c_str()),
      format(
          "The q-th quantile of the elements, with q from 0 to {}: 0 is the smallest element, {} "
          "the largest one. {}\n\n"
          "method: in sorted order, counted from 0, it is the element at {} * (n - 1) of n. If "
          "that is between two elements, \"linear\" interpolates, \"lower\" and \"higher\" take "
          "one of the two, \"nearest\" takes the nearer one, or at equal distance the one with an "
          "even index, and \"midpoint\" takes the mean of both. Between two equal infinities the "
          "result is the same infinity, where NumPy gives NaN.\n"
          "Shapes: that of q, then that of x without these axes, or with length 1 with keepdims.\n"
          "Returns: new memory, pending. Floats keep their dtype, whatever the dtype of q; others "
          "give the default real dtype for \"linear\" and \"midpoint\".\n"
          "Waits: for q if it is an Array{}, and as median().\n"
          "Raises: ValueError for an invalid q or method{}, IndexError for an axis out of range, "
          "TypeError for complex and struct dtypes.\n"
          "Source: NumPy 2, {}.",
          most, most, of_nan, part,
          std::string_view(of_none).empty() ? ", for the number of elements that are not NaN" : "",
          of_none, name)
          .c_str());
}

}  // namespace

void bind_quantiles(nb::module_& m) {
  define_median<median>(m, "median",
                        "The median: the middle element in sorted order, or the mean of the two in "
                        "the middle; NaN if any is NaN, or if there are no elements.");
  define_median<nanmedian>(m, "nanmedian",
                           "The median of the elements that are not NaN; NaN where there are "
                           "none.");
  constexpr const char* counts = "NaN if any element is NaN.";
  constexpr const char* are_needed = ", or no elements";
  constexpr const char* is_left_out = "NaN is ignored; the result is NaN if there is nothing else.";
  define_quantile(m, "quantile", "1", "q", counts, are_needed, quantile);
  define_quantile(m, "percentile", "100", "q / 100", counts, are_needed, percentile);
  define_quantile(m, "nanquantile", "1", "q", is_left_out, "", nanquantile);
  define_quantile(m, "nanpercentile", "100", "q / 100", is_left_out, "", nanpercentile);
}

}  // namespace isthmus::python
