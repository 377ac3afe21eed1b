// call_errors.cpp: calls with wrong arguments, in words: nanobind would print all its signatures.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <utility>

#include "python/src/bind/bind.h"
#include "python/src/bind/entry.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"

namespace isthmus::python {

using detail::format;

namespace {

// There are a few C functions for all functions of nanobind; each that is found gets one of ours in
// its place, which calls it and puts the error into words.
constexpr std::size_t most_entries = 8;
std::array<vectorcallfunc, most_entries> originals{};
constexpr std::size_t count_bits = 0xffffffff;  // the others of a count of arguments are flags
PyObject* wording = nullptr;  // isthmus._arguments.problem; lives as long as the process

bool is_mismatch() {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  const nb::object text = nb::steal(value ? PyObject_Str(value) : nullptr);
  const char* said = text ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
  const bool is_it = said && std::string_view(said).find("incompatible function arguments") !=
                                 std::string_view::npos;
  PyErr_Clear();
  PyErr_Restore(type, value, trace);
  return is_it;
}

/// Whether it is an object of a class of ours that __new__ alone has made; the error is set then.
bool refuse_unmade(nb::handle object) {
  if (!nb::inst_check(object) || nb::inst_ready(object)) return false;
  PyErr_Format(PyExc_TypeError,
               "%U: was not initialised; its __init__ must call that of its base class",
               nb::object(object.type().attr("__name__")).ptr());
  return true;
}

/// Sets the error that says which argument is wrong.
void put_into_words(PyObject* function, PyObject* const* args, std::size_t given, PyObject* names) {
  PyErr_Clear();
  try {
    const nb::object name = nb::handle(function).attr("__name__");
    const bool is_init = nb::str("__init__").equal(name);  // which is to make it
    for (std::size_t i = is_init ? 1 : 0; i < given; ++i)
      if (refuse_unmade(args[i])) return;
    if (given == 1 && nb::str("").equal(name)) {  // what a property calls to be read has no name
      PyErr_Format(PyExc_TypeError, "attribute: self: expected an object of its class, not '%s'",
                   Py_TYPE(args[0])->tp_name);
      return;
    }
    nb::list positional = new_list();
    for (std::size_t i = 0; i < given; ++i) positional.append(nb::handle(args[i]));
    nb::dict named = new_dict();
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); ++i)
      named[nb::handle(PyTuple_GET_ITEM(names, i))] =
          nb::handle(args[given + static_cast<std::size_t>(i)]);
    const nb::object error = nb::handle(wording)(nb::handle(function), positional, named);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  } catch (...) {
    set_python_error();
  }
}

template <std::size_t i>
PyObject* watched(PyObject* self, PyObject* const* args, std::size_t given, PyObject* names) {
  PyObject* const result = originals[i](self, args, given, names);
  const bool is_error = !result && wording && PyErr_ExceptionMatches(PyExc_TypeError);
  if (is_error && is_mismatch()) put_into_words(self, args, given & count_bits, names);
  return result;
}

constexpr auto entries = []<std::size_t... i>(std::index_sequence<i...>) {
  return std::array<vectorcallfunc, sizeof...(i)>{watched<i>...};
}(std::make_index_sequence<most_entries>());

void watch(nb::handle function) {
  vectorcallfunc& slot = entry_of(function);
  if (std::ranges::find(entries, slot) != entries.end()) return;
  auto known = std::ranges::find(originals, slot);
  if (known == originals.end()) known = std::ranges::find(originals, nullptr);
  if (known == originals.end()) return;  // it speaks as nanobind has it speak
  *known = slot;
  slot = entries[static_cast<std::size_t>(known - originals.begin())];
}

/// Functions among the members of a module or class, and those that its properties call; also of a
/// module's classes and of modules in it.
void watch_members(nb::handle owner) {
  const nb::object members = owner.attr("__dict__");
  for (nb::handle item : nb::steal<nb::list>(PyMapping_Values(members.ptr()))) {
    const bool is_part = PyType_Check(item.ptr()) || PyModule_Check(item.ptr());
    if (is_part && PyModule_Check(owner.ptr())) watch_members(item);
    if (PyObject_TypeCheck(item.ptr(), &PyProperty_Type))
      for (const char* part : {"fget", "fset"})
        if (nb::object f = item.attr(part); nb::hasattr(f, "__nb_signature__")) watch(f);
    if (PyVectorcall_Function(item.ptr()) && nb::hasattr(item, "__nb_signature__")) watch(item);
  }
}

}  // namespace

void bind_call_errors(nb::module_& m) {
  m.def(
      "_found_as", [](nb::handle object) { return format("{}", found_as(object)); },
      nb::arg("object").none(), nb::sig("def _found_as(object: object, /) -> str"),
      "\"an int\", \"None\": see arguments.h.");
  m.def(
      "_word_call_errors", [](nb::object problem) { wording = problem.release().ptr(); },
      nb::sig("def _word_call_errors(problem: typing.Any, /) -> None"),
      "From now on calls with wrong arguments raise what `problem(function, args, kwargs)` "
      "returns.");
  watch_members(m);
}

}  // namespace isthmus::python
