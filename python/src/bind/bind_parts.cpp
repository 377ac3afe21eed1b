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
      "Quotient rounded towards minus infinity, and remainder: what floor_divide and remainder "
      "give, and `divmod(x1, x2)` of Python.\n\nShapes: operands broadcast.\nReturns: two arrays "
      "in new memory, pending; one kernel writes both, if both are alive.\nWaits: no, unless an "
      "operand is shared with others who may change it.\nRaises: TypeError for bools, complex "
      "numbers and numbers alone, ValueError for shapes that do not broadcast.\nSource: NumPy 2, "
      "divmod.");
  m.def(
      "modf",
      [](nb::handle x) {
        const Modf both = modf(require_array("modf", x.ptr()));
        return tuple_of({both.fraction, both.whole});
      },
      nb::arg("x"), nb::sig("def modf(x: Array, /) -> tuple[Array, Array]"),
      "The part behind the point and the part before it, both with the sign of x.\n\nOf infinity "
      "0 and infinity, of NaN both NaN. Integers are calculated as floats.\n\nReturns: two arrays "
      "in new memory, pending; one kernel writes both, if both are alive.\nWaits: no, unless x is "
      "shared with others who may change it.\n"
      "Raises: TypeError for complex numbers.\nSource: NumPy 2, modf; C17 7.12.6.12.");
  m.def(
      "frexp",
      [](nb::handle x) {
        const Frexp both = frexp(require_array("frexp", x.ptr()));
        return tuple_of({both.mantissa, both.exponent});
      },
      nb::arg("x"), nb::sig("def frexp(x: Array, /) -> tuple[Array, Array]"),
      "Mantissa from 0.5 to 1 and exponent, of which x is mantissa * 2**exponent, exactly.\n\n"
      "Zeros, infinities and NaN are their own mantissa and have the exponent 0. Integers are "
      "calculated as floats.\n\nReturns: two arrays in new memory, pending; the exponent is "
      "int32. One kernel writes both, if both are alive.\nWaits: no, unless x is shared with "
      "others who may change it.\nRaises: TypeError "
      "for complex numbers.\nSource: NumPy 2, frexp; C17 7.12.6.4.");
}

}  // namespace isthmus::python
