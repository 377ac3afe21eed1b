// arguments.h: arguments of raw METH_FASTCALL | METH_KEYWORDS functions.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

#include "isthmus/base/error.h"
#include "isthmus/core/internal.h"
#include "python/src/peers/foreign_errors.h"

namespace isthmus::python {

/// The keyword arguments that a raw function takes, by name.
template <std::size_t count>
class Keywords {
 public:
  explicit Keywords(const std::array<const char*, count>& names) {
    for (std::size_t i = 0; i < count; ++i) names_[i] = PyUnicode_InternFromString(names[i]);
  }

  /// Their values, borrowed; null for those that were not given. `args` begins with `positional`
  /// arguments, behind which so many of the `names` may stand without theirs. Throws type for
  /// others.
  std::array<PyObject*, count> values(const char* who, PyObject* const* args, Py_ssize_t given,
                                      Py_ssize_t positional, PyObject* names,
                                      Py_ssize_t unnamed = 0) const {
    if (given < positional || given > positional + unnamed)  // a text is made for an error alone
      fail(Errc::type, "{}: takes {} positional arguments, not {}", who,
           unnamed ? detail::format("{} to {}", positional, positional + unnamed)
                   : detail::format("{}", positional),
           given);
    std::array<PyObject*, count> values{};
    for (Py_ssize_t i = positional; i < given; ++i)
      values[static_cast<std::size_t>(i - positional)] = args[i];
    const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t i = 0; i < named; ++i) {
      PyObject* name = PyTuple_GET_ITEM(names, i);
      PyObject*& value = values[index(who, name)];
      if (value) fail(Errc::type, "{}: {} was given twice", who, PyUnicode_AsUTF8(name));
      value = args[given + i];
    }
    return values;
  }

 private:
  std::size_t index(const char* who, PyObject* name) const {
    for (std::size_t i = 0; i < count; ++i)
      if (names_[i] == name) return i;  // names in source text are interned
    for (std::size_t i = 0; i < count; ++i)
      if (PyUnicode_Compare(names_[i], name) == 0) return i;
    const char* text = PyUnicode_AsUTF8(name);
    if (!text) PyErr_Clear();
    std::string known;
    for (PyObject* one : names_) (known += known.empty() ? "" : ", ") += PyUnicode_AsUTF8(one);
    fail(Errc::type, "{}: has no argument '{}'; it has {}", who, text ? text : "?", known);
  }

  std::array<PyObject*, count> names_{};  // live as long as the process
};

/// What an argument is, for a sentence: "an int", "a pyopencl.array.Array", "None". Put into words
/// only where the sentence is, since check() is given it each time.
struct FoundAs {
  PyObject* object;
};
inline FoundAs found_as(PyObject* object) { return {object}; }
inline FoundAs found_as(const nanobind::handle& object) { return {object.ptr()}; }
std::string to_string(const FoundAs& found);
/// Whether it is of a library whose objects refuse ours in words that do not say what would do.
bool is_of_neighbour(PyObject* object);
/// "; isthmus.asarray takes it" of what it takes; else nothing.
struct Advice {
  PyObject* object;
};
std::string to_string(const Advice& advice);

/// A str as UTF-8, whatever a user's has: halves of surrogate pairs as "\\ud800".
std::string utf8_of(nanobind::handle str);

/// The C++ object in one of Python. Throws type for another object, and where a derived class has
/// not called our __init__.
template <class T>
T& instance_of(nanobind::handle object) {
  const nanobind::handle cls = nanobind::type<T>();
  check(nanobind::isinstance<T>(object), Errc::type, "expected an isthmus.{}, not {}",
        reinterpret_cast<PyTypeObject*>(cls.ptr())->tp_name, found_as(object));
  check(nanobind::inst_ready(object), Errc::type,
        "{}: was not initialised; its __init__ must call that of its base class",
        Py_TYPE(object.ptr())->tp_name);
  return *nanobind::inst_ptr<T>(object);
}

/// The argument `copy`: True, False, or nothing for None. Throws type.
inline std::optional<bool> copy_flag(const char* who, PyObject* object) {
  if (!object || object == Py_None) return {};
  const bool is_flag = PyBool_Check(object) || PyIndex_Check(object);
  const int truth = is_flag ? PyObject_IsTrue(object) : -1;
  if (truth < 0) clear_answer();
  check(truth >= 0, Errc::type, "{}: copy: expected True, False or None, not {}", who,
        found_as(object));
  return truth != 0;
}

inline PyObject* or_none(PyObject* object) { return object ? object : Py_None; }

}  // namespace isthmus::python
