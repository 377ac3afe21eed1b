// bind_comparing.cpp: whether arrays are alike.
#include <nanobind/nanobind.h>

#include "isthmus/array/comparing.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

template <Array (*compare)(const Value&, const Value&, const Tolerance&)>
void define_close(nb::module_& m, const char* name, const char* summary) {
  m.def(
      name,
      [name](nb::handle x, nb::handle y, double relative, double absolute, Flag equal_nan) {
        const Value first = require_value(name, x.ptr()), second = require_value(name, y.ptr());
        return nb::steal(wrap(compare(first, second, {relative, absolute, equal_nan})));
      },
      nb::arg("x"), nb::arg("y"), nb::arg("rtol") = 1e-5, nb::arg("atol") = 1e-8,
      nb::arg("equal_nan") = false,
      nb::sig(detail::format("def {}(x: Array | Number, y: Array | Number, /, rtol: float = "
                             "1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Array",
                             name)
                  .c_str()),
      detail::format(
          "{}: |x - y| <= atol + rtol * |y|.\n\n"
          "Equal infinities are close, and with equal_nan so are two NaNs. Calculated in the "
          "common dtype or, for integers and bools, in the device's default real dtype.\n"
          "Returns: new memory, pending; one kernel.\n"
          "Raises: TypeError if neither is an Array, ValueError if shapes do not broadcast.\n"
          "Source: NumPy 2, {}.",
          summary, name)
          .c_str());
}

}  // namespace

void bind_comparing(nb::module_& m) {
  define_close<isclose>(m, "isclose", "Whether each element of x is close to the one of y");
  define_close<allclose>(m, "allclose",
                         "Whether all elements of x are close to those of y, as a 0-d array");
  m.def(
      "array_equal",
      [](nb::handle x, nb::handle y, Flag equal_nan) {
        return nb::steal(wrap(array_equal(require_array("array_equal", x.ptr()),
                                          require_array("array_equal", y.ptr()), equal_nan)));
      },
      nb::arg("x"), nb::arg("y"), nb::arg("equal_nan") = false,
      nb::sig("def array_equal(x: Array, y: Array, /, equal_nan: bool = False) -> Array"),
      "Whether shapes and all elements are equal, as a 0-d array.\n\n"
      "Returns: new memory, pending; one kernel.\n"
      "Raises: TypeError if one is not an array, PromotionError for dtypes without a common "
      "dtype.\n"
      "Source: NumPy 2, array_equal.");
  m.def(
      "count_nonzero",
      [](nb::handle x, nb::handle axis, Flag keepdims) {
        const auto axes = axes_of("count_nonzero", axis);
        const Array& array = require_array("count_nonzero", x.ptr());
        return nb::steal(
            wrap(count_nonzero(array, axes ? AxisSet(*axes) : AxisSet(all_axes), keepdims)));
      },
      nb::arg("x"), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false,
      nb::sig("def count_nonzero(x: Array, /, axis: Axes | None = None, keepdims: bool = False) -> "
              "Array"),
      "Number of elements that are not zero, over these axes or all; NaN is not zero.\n\n"
      "Returns: int64, new memory, pending; one kernel.\n"
      "Raises: IndexError for an axis out of range.\n"
      "Source: Array API 2025.12, count_nonzero.");
}

}  // namespace isthmus::python
