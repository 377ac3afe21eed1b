// numpy_calls.cpp: what NumPy asks of an Array that was given to one of its functions.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "isthmus/array/parts.h"
#include "isthmus/array/place.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_list.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"
#include "python/src/object/name.h"
#include "python/src/object/numpy_calls.h"

namespace isthmus::python {

namespace {

std::string name_of(const char* who, PyObject* function) {
  const nb::object name = nb::steal(PyObject_GetAttr(function, "__name__"_name));
  clear_answer();
  check(name && PyUnicode_Check(name.ptr()), Errc::type, "{}: {} is not a NumPy function", who,
        found_as(function));
  return utf8_of(name);
}

/// The row that a ufunc is called in Isthmus, if there is one: by NumPy's names too.
std::optional<Op> row_of(const std::string& name) {
  const nb::object ours = nb::module_::import_("isthmus._names").attr("own_name")(name);
  if (ours.is_none()) return {};
  const std::string spelt = nb::cast<std::string>(ours);
  for (std::size_t i = 0; i < op_table.size(); ++i)
    if (op_table[i].name == spelt && op_table[i].space.empty()) return static_cast<Op>(i);
  return {};
}

/// `method`: "__call__", "reduce" and the like.
[[noreturn]] void refuse(const std::string& name, PyObject* method, PyObject* const* inputs,
                         Py_ssize_t count, PyObject* keywords) {
  nb::list all = new_list();
  for (Py_ssize_t i = 0; i < count; ++i) all.append(nb::handle(inputs[i]));
  const nb::object others = keywords ? nb::borrow(keywords) : nb::object(nb::tuple());
  const nb::object text = nb::module_::import_("isthmus._numpy_calls")
                              .attr("refusal")(name, nb::tuple(all), others, nb::handle(method));
  fail(Errc::type, "{}", utf8_of(text));
}

/// Whether a class has an __array_ufunc__ that is neither NumPy's nor ours: NumPy asks it next.
bool answers_ufuncs(PyObject* object) {
  if (is_array(object)) return false;
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  const nb::object found = nb::steal(PyObject_GetAttr(type.ptr(), "__array_ufunc__"_name));
  clear_answer();
  if (!found || found.is_none()) return false;
  const nb::object numpys = nb::module_::import_("numpy").attr("ndarray").attr("__array_ufunc__");
  return !found.is(numpys);
}

/// NumPy's own scalars come here when they are the first operand of an operator. All else is
/// refused: NumPy would calculate on the host, and without the rules of ours.
PyObject* array_ufunc(PyObject*, PyObject* const* args, Py_ssize_t given, PyObject* names) {
  return guarded([&]() -> PyObject* {
    check(given >= 3, Errc::type, "__array_ufunc__: takes a ufunc, a method and its inputs");
    const std::string name = name_of("__array_ufunc__", args[0]);
    PyObject* const* const inputs = args + 2;
    const Py_ssize_t count = given - 2;
    if (std::any_of(inputs, inputs + count, answers_ufuncs)) return Py_NewRef(Py_NotImplemented);
    const bool is_call = PyUnicode_Check(args[1]) &&
                         PyUnicode_CompareWithASCIIString(args[1], "__call__") == 0 && !names;
    if (is_call && count == 2 && !(is_array(inputs[0]) && is_array(inputs[1]))) {
      const auto x = value_of(inputs[0]), y = value_of(inputs[1]);
      if (x && y && name == "divmod") {
        const DivMod both = divmod(*x, *y);
        return tuple_of({both.quotient, both.remainder}).release().ptr();
      }
      const auto row = x && y ? row_of(name) : std::nullopt;
      if (row && info(*row).arity == 2) return wrap(apply(*row, {*x, *y}));
    }
    refuse(name, args[1], inputs, count, names);
  });
}

/// Calculations that Isthmus has are refused, with its own; others read the array by __array__.
/// What makes arrays comes here for `like=` alone, of which it is then the value.
PyObject* array_function(PyObject* self, PyObject* const* args, Py_ssize_t given, PyObject*) {
  return guarded([&]() -> PyObject* {
    check(given == 4, Errc::type, "__array_function__: takes 4 arguments, not {}", given);
    const std::string name = name_of("__array_function__", args[0]);
    check(PyTuple_Check(args[2]) && PyDict_Check(args[3]), Errc::type,
          "__array_function__: expected a tuple and a dict of arguments, not {} and {}",
          found_as(args[2]), found_as(args[3]));
    const nb::object reason =
        nb::module_::import_("isthmus._numpy_calls")
            .attr("why_not_on_the_host")(name, nb::handle(args[2]), nb::handle(args[3]));
    if (!reason.is_none()) fail(Errc::type, "{}", utf8_of(reason));
    const nb::object plain = nb::steal(PyObject_GetAttrString(args[0], "_implementation"));
    clear_answer();
    if (plain.is_valid()) return PyObject_Call(plain.ptr(), args[2], args[3]);
    const InContextOf meanwhile(array_of(self));
    return nb::module_::import_("isthmus._like")
        .attr("made_like")(nb::handle(self), nb::handle(args[0]), nb::handle(args[2]),
                           nb::handle(args[3]))
        .release()
        .ptr();
  });
}

}  // namespace

const PyMethodDef numpy_methods[] = {
    {"__array_ufunc__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(array_ufunc)),
     METH_FASTCALL | METH_KEYWORDS,
     "__array_ufunc__($self, ufunc, method, /, *inputs, **kwargs)\n"
     "--\n\n"
     "Operators between NumPy scalars and isthmus.Array; NotImplemented beside an object of a "
     "class "
     "with an __array_ufunc__ of its own.\n\n"
     "Raises: TypeError for all other uses of NumPy ufuncs, naming the Isthmus function.\n"
     "Source: NumPy, NEP 13."},
    {"__array_function__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(array_function)),
     METH_FASTCALL | METH_KEYWORDS,
     "__array_function__($self, function, types, args, kwargs, /)\n"
     "--\n\n"
     "NumPy functions that join, shape, compare or save read the array by __array__. "
     "numpy.zeros(3, like=x) and others that make arrays make one of Isthmus on the device of "
     "x.\n\n"
     "Raises: TypeError for functions that Isthmus has too, naming its function, and for functions "
     "that would write to the array.\n"
     "Source: NumPy, NEP 18 and NEP 35."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace isthmus::python
