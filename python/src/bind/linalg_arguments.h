// linalg_arguments.h: arguments and results of functions of linear algebra.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <variant>

#include "isthmus/linalg/norms.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

/// A named tuple of _results.py.
template <class... Arrays>
nb::object named_tuple(const char* name, const Arrays&... arrays) {
  const nb::object make = nb::module_::import_("isthmus._results").attr(name);
  return make(nb::steal(wrap(arrays))...);
}

/// A real number. Throws type.
inline double real_of(const char* who, nb::handle object) {
  const double number = PyFloat_AsDouble(object.ptr());
  if (number != -1 || !PyErr_Occurred()) return number;
  const bool is_past_range = PyErr_ExceptionMatches(PyExc_OverflowError);
  clear_answer();
  check(!is_past_range, Errc::value, "{}: an int beyond the range of float64", who);
  fail(Errc::type, "{}: expected a real number, not {}", who, found_as(object));
}

/// A number, or the name of a norm of matrices. Throws type, value.
inline std::variant<double, linalg::MatrixNorm> order_of(const char* who, nb::handle object) {
  if (!PyUnicode_Check(object.ptr())) return real_of(who, object);
  const std::string name = utf8_of(object);
  if (name == "fro" || name == "f") return linalg::MatrixNorm::frobenius;
  check(name == "nuc", Errc::value, "{}: '{}' is none of 'fro', 'nuc', and no number", who, name);
  return linalg::MatrixNorm::nuclear;
}

/// Where the module's errors and functions are.
inline nb::module_ linalg_of(nb::module_& m) { return nb::borrow<nb::module_>(m.attr("_linalg")); }

inline constexpr const char* linalg_note =
    "Accepts: float32, float64, complex64, complex128; integers and bools are converted to the "
    "default real dtype.\n";
inline constexpr const char* by_lapack =
    "Returns: new memory on the device of the operand, calculated by LAPACK on the host.\n"
    "Waits: for the operands and for the result.\n";
inline constexpr const char* refused =
    "NotImplementedError if the host cannot access the memory (to_device(\"cpu\") copies it) or "
    "the "
    "library of config.blas has no LAPACK, TypeError for half precision and structs, ValueError "
    "for shapes that do not fit";

}  // namespace isthmus::python
