// as_number.cpp: what Python's functions of one number call.
#include "python/src/object/as_number.h"

#include <nanobind/stl/optional.h>

namespace isthmus::python {

namespace {

Scalar only_element(const char* who, PyObject* self) {
  const Array& x = require_array(who, self);
  check(x.dtype().is_builtin(), Errc::type, "{}: a {} is not a number; x.item() returns its fields",
        who, x.dtype());
  check(x.ndim() == 0, Errc::type, "{}: only an array without axes is a number; this has shape {}",
        who, x.shape());
  return item(x);
}

/// What a method of the element, a number of Python's, gives.
nb::object of_element(const char* who, nb::handle x, const char* method) {
  const Scalar s = only_element(who, x.ptr());
  check(s.dtype.family != Family::complex, Errc::type, "{}: the element is complex", who);
  return nb::steal(number_of(s)).attr(method)();
}

/// Whole numbers of Python's, which are exact where a float would not be.
void add_whole(nb::class_<ArrayObject>& c, const char* method, const char* who) {
  c.def(
      method, [=](nb::handle x) { return of_element(who, x, method); },
      nb::sig(detail::format("def {}(self) -> int", method).c_str()));
}

}  // namespace

int truth(PyObject* self) noexcept {
  try {
    const Array& x = array_of(self);
    check(x.size() == 1, Errc::value,
          "bool: an array of {} elements is neither true nor false; use any() or all()", x.size());
    check(x.dtype().is_builtin(), Errc::type, "bool: a {} is neither true nor false", x.dtype());
    const nb::object number = nb::steal(number_of(item(x)));
    return PyObject_IsTrue(number.ptr());
  } catch (...) {
    set_python_error();
    return -1;
  }
}

PyObject* as_int(PyObject* self) noexcept {
  return guarded([&] {
    const Scalar s = only_element("int", self);
    check(s.dtype.family != Family::complex, Errc::type, "int: the element is complex");
    const nb::object number = nb::steal(number_of(s));
    return PyNumber_Long(number.ptr());
  });
}

PyObject* as_index(PyObject* self) noexcept {
  return guarded([&] {
    const Scalar s = only_element("index", self);
    check(s.dtype.family == Family::integer || s.dtype.family == Family::natural, Errc::type,
          "index: a {} is not an integer", s.dtype);
    return number_of(s);
  });
}

PyObject* as_float(PyObject* self) noexcept {
  return guarded([&] {
    const Scalar s = only_element("float", self);
    check(s.dtype.family != Family::complex, Errc::type, "float: the element is complex");
    const nb::object number = nb::steal(number_of(s));
    return PyNumber_Float(number.ptr());
  });
}

void add_number_methods(nb::class_<ArrayObject>& c) {
  c.def(
      "__complex__",
      [](nb::handle x) {
        const nb::object number = nb::steal(number_of(only_element("complex", x.ptr())));
        return nb::steal(
            PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyComplex_Type), number.ptr()));
      },
      nb::sig("def __complex__(self) -> complex"));
  add_whole(c, "__floor__", "floor");
  add_whole(c, "__ceil__", "ceil");
  add_whole(c, "__trunc__", "trunc");
  // without digits Python asks for an int, which an array with axes has none of
  c.def(
      "__round__",
      [](nb::handle x, std::optional<std::int64_t> digits) {
        const Array& array = require_array("round", x.ptr());
        if (digits || array.ndim() > 0) return nb::steal(wrap(array.round(digits.value_or(0))));
        return of_element("round", x, "__round__");
      },
      nb::arg("ndigits") = nb::none(),
      nb::sig("def __round__(self, ndigits: int | None = None, /) -> typing.Any"));
}

}  // namespace isthmus::python
