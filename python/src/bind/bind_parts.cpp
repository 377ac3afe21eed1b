// bind_parts.cpp: functions with two results.
#include <nanobind/nanobind.h>

#include "isthmus/array/parts.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_list.h"

namespace isthmus::python {

void bind_parts(nb::module_& m) {
  m.def(
      "divmod",
      [](nb::handle x, nb::handle y) {
        const DivMod both =
            divmod(require_value("divmod", x.ptr()), require_value("divmod", y.ptr()));
        return tuple_of({both.quotient, both.remainder});
      },
      nb::arg("x1"), nb::arg("x2"),
      nb::sig("def divmod(x1: Array | Number, x2: Array | Number, /) -> tuple[Array, Array]"),
      "Quotient rounded towards minus infinity, and remainder: as floor_divide and remainder, and "
      "as `divmod(x1, x2)` of Python.\n\n"
      "Shapes: operands broadcast.\n"
      "Returns: two arrays in new memory, pending; one kernel writes both if both are alive.\n"
      "Waits: no, unless others may change the memory of an operand.\n"
      "Raises: TypeError for bools, complex numbers and if neither is an array, ValueError for "
      "shapes that do not broadcast.\n"
      "Source: NumPy 2, divmod.");
  m.def(
      "modf",
      [](nb::handle x) {
        const Modf both = modf(require_array("modf", x.ptr()));
        return tuple_of({both.fraction, both.whole});
      },
      nb::arg("x"), nb::sig("def modf(x: Array, /) -> tuple[Array, Array]"),
      "The fractional and the integral part, both with the sign of x.\n\n"
      "For infinity they are 0 and infinity, for NaN both NaN. Integers are calculated as "
      "floats.\n\n"
      "Returns: two arrays in new memory, pending; one kernel writes both if both are alive.\n"
      "Waits: no, unless others may change the memory of x.\n"
      "Raises: TypeError for complex numbers.\n"
      "Source: NumPy 2, modf; C17 7.12.6.12.");
  m.def(
      "frexp",
      [](nb::handle x) {
        const Frexp both = frexp(require_array("frexp", x.ptr()));
        return tuple_of({both.mantissa, both.exponent});
      },
      nb::arg("x"), nb::sig("def frexp(x: Array, /) -> tuple[Array, Array]"),
      "Mantissa from 0.5 to 1 and exponent, such that x is mantissa * 2**exponent, exactly.\n\n"
      "Zeros, infinities and NaN are their own mantissa and have the exponent 0. Integers are "
      "calculated as floats.\n\n"
      "Returns: two arrays in new memory, pending; the exponent is int32. One kernel writes both, "
      "if both are alive.\n"
      "Waits: no, unless others may change the memory of x.\n"
      "Raises: TypeError for complex numbers.\n"
      "Source: NumPy 2, frexp; C17 7.12.6.4.");
}

}  // namespace isthmus::python
