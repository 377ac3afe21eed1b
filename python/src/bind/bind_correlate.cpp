// bind_correlate.cpp: convolutions, covariances and correlations.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/array/products/correlate.h"
#include "isthmus/base/format.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/beside.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

using detail::format;

namespace {

template <auto function>
void define(nb::module_& m, const char* name, const char* mode, const char* summary) {
  m.def(
      name,
      [name](nb::handle a, nb::handle v, const std::string& chosen) {
        const Array& near = first_array(name, a, v);
        const Array x = array_beside(name, a, near), y = array_beside(name, v, near);
        return nb::steal(wrap(function(x, y, chosen)));
      },
      nb::arg("a"), nb::arg("v"), nb::arg("mode") = mode,
      nb::sig(format("def {}(a: Elements, v: Elements, mode: str = '{}') -> Array", name, mode)
                  .c_str()),
      format("{}\n\n"
             "mode: \"full\": wherever the two overlap; \"same\": as many elements as the longer "
             "one has, from the middle; \"valid\": where the shorter one lies inside the longer "
             "one.\n"
             "Shapes: one axis each, or none. At least one of the two must be an Array.\n"
             "Returns: new memory, pending but for floats on the host; a.size * v.size "
             "multiplications.\n"
             "Waits: if the host calculates float32 or float64.\n"
             "Raises: ValueError for several axes, no elements and another mode, TypeError for "
             "structs and dtypes without a common dtype.\n"
             "Source: NumPy 2, {}.",
             summary, name)
          .c_str());
}

}  // namespace

void bind_correlate(nb::module_& m) {
  define<convolve>(m, "convolve", "full",
                   "Convolution of two sequences: element k is the sum of a[i] * v[k - i].");
  define<correlate>(
      m, "correlate", "valid",
      "Cross-correlation of two sequences: element k is the sum of a[k + i] * conj(v[i]).");
  m.def(
      "cov",
      [](nb::handle x, nb::handle y, Flag rowvar, Flag bias, std::optional<double> ddof,
         nb::handle dtype) {
        const Array& array = require_array("cov", x.ptr());
        const auto more = optional_array_beside("cov: y", y, array);
        const double less = ddof.value_or(bias ? 0 : 1);
        return nb::steal(wrap(cov(array, more, rowvar, less, optional_dtype(dtype))));
      },
      nb::arg("m"), nb::arg("y") = nb::none(), nb::arg("rowvar") = true, nb::arg("bias") = false,
      nb::arg("ddof") = nb::none(), nb::kw_only(), nb::arg("dtype") = nb::none(),
      nb::sig("def cov(m: Array, y: Elements | None = None, rowvar: bool = True, bias: bool = "
              "False, ddof: float | None = None, *, dtype: object | None = None) -> Array"),
      "Covariances of variables: the means of the products of what two of them differ from their "
      "means, of which one is conjugated.\n\n"
      "m: a variable in each row, with one observation in each column; or one variable.\n"
      "y: further variables, in the same form.\n"
      "rowvar: False if the variables are the columns.\n"
      "bias: divide by the number of observations n, not by n - 1.\n"
      "ddof: divide by n - ddof instead, or by 0 if ddof is greater.\n"
      "dtype: the dtype of the calculation and the result.\n"
      "Shapes: a square matrix; no axes for one variable.\n"
      "Returns: new memory; waits as matmul does.\n"
      "Raises: ValueError for more than two axes and another number of observations in y, "
      "TypeError for structs, an integer dtype and dtypes without a common dtype.\n"
      "Source: NumPy 2, cov.");
  m.def(
      "corrcoef",
      [](nb::handle x, nb::handle y, Flag rowvar, nb::handle dtype) {
        const Array& array = require_array("corrcoef", x.ptr());
        const auto more = optional_array_beside("corrcoef: y", y, array);
        return nb::steal(wrap(corrcoef(array, more, rowvar, optional_dtype(dtype))));
      },
      nb::arg("x"), nb::arg("y") = nb::none(), nb::arg("rowvar") = true, nb::kw_only(),
      nb::arg("dtype") = nb::none(),
      nb::sig("def corrcoef(x: Array, y: Elements | None = None, rowvar: bool = True, *, dtype: "
              "object | None = None) -> Array"),
      "Correlation coefficients of variables: their covariances, divided by the standard "
      "deviations of both. From -1 to 1; NaN for a variable whose elements are all equal.\n\n"
      "x, y, rowvar, dtype: as for cov.\n"
      "Shapes: a square matrix; no axes for one variable.\n"
      "Returns: new memory; waits as matmul does.\n"
      "Raises: as cov.\n"
      "Source: NumPy 2, corrcoef.");
}

}  // namespace isthmus::python
