// bind_statistics.cpp: statistics, and those that leave out NaN.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/array/reduce/nan_statistics.h"
#include "isthmus/array/reduce/statistics.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/object/array_list.h"
#include "python/src/object/beside.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

using detail::format;

namespace {

using Reduce = Array (*)(Array, const AxisSet&, Flag);
using ReduceIn = Array (*)(Array, const AxisSet&, Flag, std::optional<DType>);
using SpreadOf = Array (*)(Array, const AxisSet&, Flag, double, std::optional<DType>);

std::string docstring(const std::string& summary, const char* raises, const std::string& source) {
  return format(
      "{}\n\n"
      "{}Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.\n"
      "Returns: new memory, pending until its value is needed, or `out`.\n"
      "Waits: no, unless others may change the memory of x.\n"
      "Raises: IndexError for an axis out of range{}.\n"
      "Source: {}.",
      summary, out_note, raises, source);
}

auto none(const char* name) { return nb::arg(name) = nb::none(); }

double correction_of(const char* who, double ddof, std::optional<double> correction) {
  check(!correction || ddof == 0, Errc::value,
        "{}: ddof and correction are two names for one argument", who);
  return correction.value_or(ddof);
}

template <SpreadOf spread_of>
auto spread(const char* name) {
  return [name](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out, double ddof,
                Flag keepdims, std::optional<double> correction) {
    const Array& array = require_array(name, x.ptr());
    const auto as = optional_dtype(dtype);
    const double less = correction_of(name, ddof, correction);
    return made_into(name, out,
                     [&] { return spread_of(array, axis_set(name, axis), keepdims, less, as); });
  };
}

constexpr const char* spread_parameters =
    "axis: Axes | None = None, dtype: object | None = None, out: Array | tuple[Array] | None = "
    "None, ddof: float = 0.0, keepdims: bool = False, *, correction: float | None = None";
constexpr const char* spread_errors =
    ", TypeError for a dtype of integers, ValueError for both ddof and correction";

template <SpreadOf spread_of>
void define_spread(nb::module_& m, const char* name, const char* summary) {
  define_both(
      m, name, spread_parameters, spread<spread_of>(name),
      docstring(
          format("{}\n\n"
                 "The sum of squares is divided by the number of elements minus `correction`, or "
                 "by 0 if that is negative. The result is real, in the dtype of mean; half "
                 "precision is summed in float32.\n\n"
                 "ddof: NumPy's name of correction.\n"
                 "dtype: the dtype of the calculation and of the result, which may be complex.",
                 summary),
          spread_errors, format("Array API 2025.12, {}", name)),
      none("axis"), none("dtype"), none("out"), nb::arg("ddof") = 0.0, nb::arg("keepdims") = false,
      nb::kw_only(), nb::arg("correction").none() = nb::none());
}

template <SpreadOf spread_of>
void define_nan_spread(nb::module_& m, const char* name, const char* summary) {
  m.def(name, spread<spread_of>(name), nb::arg("x"), none("axis"), none("dtype"), none("out"),
        nb::arg("ddof") = 0.0, nb::arg("keepdims") = false, nb::kw_only(),
        nb::arg("correction").none() = nb::none(),
        nb::sig(format("def {}(x: Array, /, {}) -> Array", name, spread_parameters).c_str()),
        docstring(format("{}\n\n"
                         "NaN where at most `correction` elements are left.\n\n"
                         "ddof: NumPy's name of correction.\n"
                         "dtype: the dtype of the calculation.",
                         summary),
                  spread_errors, format("NumPy 2, {}", name))
            .c_str());
}

template <ReduceIn reduce>
void define_in(nb::module_& m, const char* name, const char* summary) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle dtype, nb::handle out, Flag keepdims) {
        const Array& array = require_array(name, x.ptr());
        const auto as = optional_dtype(dtype);
        return made_into(name, out,
                         [&] { return reduce(array, axis_set(name, axis), keepdims, as); });
      },
      nb::arg("x"), none("axis"), none("dtype"), none("out"), nb::arg("keepdims") = false,
      nb::sig(format("def {}(x: Array, /, axis: Axes | None = None, dtype: object | None = None, "
                     "out: Array | tuple[Array] | None = None, keepdims: bool = False) -> Array",
                     name)
                  .c_str()),
      docstring(format("{}\n\n"
                       "dtype: the dtype of the calculation.",
                       summary),
                "", format("NumPy 2, {}", name))
          .c_str());
}

template <Reduce reduce>
void define(nb::module_& m, const char* name, const char* summary, const char* raises,
            const std::string& source) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, nb::handle out, Flag keepdims) {
        const Array& array = require_array(name, x.ptr());
        return made_into(name, out, [&] { return reduce(array, axis_set(name, axis), keepdims); });
      },
      nb::arg("x"), none("axis"), none("out"), nb::arg("keepdims") = false,
      nb::sig(format("def {}(x: Array, /, axis: Axes | None = None, out: Array | tuple[Array] | "
                     "None = None, keepdims: bool = False) -> Array",
                     name)
                  .c_str()),
      docstring(summary, raises, source).c_str());
}

void define_without_nan(nb::module_& m) {
  define_in<nansum>(m, "nansum", "Sum of the elements that are not NaN; 0 where all are NaN.");
  define_in<nanprod>(m, "nanprod",
                     "Product of the elements that are not NaN; 1 where all are NaN.");
  define_in<nanmean>(m, "nanmean", "Mean of the elements that are not NaN; NaN where all are NaN.");
  define_nan_spread<nanvar>(m, "nanvar", "Variance of the elements that are not NaN, as var.");
  define_nan_spread<nanstd>(m, "nanstd",
                            "Standard deviation of the elements that are not NaN, as std.");
}

void define_average(nb::module_& m) {
  m.def(
      "average",
      [](nb::handle x, nb::handle axis, nb::handle weights, Flag keepdims) {
        const Array& array = require_array("average", x.ptr());
        const auto each = optional_array_beside("average: weights", weights, array);
        return nb::steal(wrap(average(array, axis_set("average", axis), each, keepdims)));
      },
      nb::arg("x"), none("axis"), none("weights"), nb::kw_only(), nb::arg("keepdims") = false,
      nb::sig(
          "def average(x: Array, /, axis: Axes | None = None, weights: Elements | None = None, *, "
          "keepdims: bool = False) -> Array"),
      "Weighted mean: sum(x * weights) / sum(weights).\n\n"
      "Where the sum of weights is 0 the result is NaN or infinite, without an error. Without "
      "weights, the same as mean.\n\n"
      "weights: with the shape of x, or of the axes, in their order.\n"
      "Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.\n"
      "Returns: new memory, pending.\n"
      "Waits: no, unless others may change the memory of x.\n"
      "Raises: TypeError for weights of another shape without axes, ValueError for weights that "
      "fit neither shape, IndexError for an axis out of range.\n"
      "Source: NumPy 2, average.");
}

void define_min_max(nb::module_& m) {
  m.def(
      "min_max",
      [](nb::handle x, nb::handle axis, Flag keepdims) {
        const Array& array = require_array("min_max", x.ptr());
        const MinMax both = min_max(array, axis_set("min_max", axis), keepdims);
        return tuple_of({both.min, both.max});
      },
      nb::arg("x"), none("axis"), nb::kw_only(), nb::arg("keepdims") = false,
      nb::sig("def min_max(x: Array, /, axis: Axes | None = None, *, keepdims: bool = False) -> "
              "tuple[Array, Array]"),
      "Smallest and largest elements, as min and max return them.\n\n"
      "Shapes: the axes in `axis` (all if None) are removed, or have length 1 with keepdims.\n"
      "Returns: two arrays in new memory, pending; one kernel writes both if both are alive.\n"
      "Raises: ValueError for no elements, IndexError for an axis out of range, TypeError for "
      "complex numbers.\n"
      "Source: Array API 2025.12, min and max.");
}

}  // namespace

void bind_statistics(nb::module_& m) {
  define_spread<isthmus::var>(m, "var", "Variance: the mean of |x - mean(x)|**2.");
  define_spread<isthmus::std>(m, "std", "Standard deviation: the square root of the variance.");
  define<logsumexp>(m, "logsumexp",
                    "log(sum(exp(x))), without overflow on the way.\n\n"
                    "-inf for no elements, inf if any element is inf, NaN if any is NaN. The "
                    "result has the dtype of mean.",
                    ", TypeError for complex numbers", "SciPy 1, special.logsumexp");
  define_min_max(m);
  define_average(m);
  define_without_nan(m);
}

}  // namespace isthmus::python
