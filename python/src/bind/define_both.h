// define_both.h: functions of the module that are methods of Array, too.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "isthmus/base/format.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

inline constexpr const char* out_note =
    "out: an array that receives the result instead of new memory; it is returned.\n";

/// Defines a function of the module.
template <class F, class... Args>
void define_function(nb::module_& m, const char* name, const std::string& parameters, F f,
                     const std::string& doc, const Args&... args) {
  m.def(name, f, nb::arg("x"), args...,
        nb::sig(detail::format("def {}(x: Array, /, {}) -> Array", name, parameters).c_str()),
        doc.c_str());
}

/// The same, and a method of Array that does the same.
template <class F, class... Args>
void define_both(nb::module_& m, const char* name, const std::string& parameters, F f,
                 const std::string& doc, const Args&... args) {
  define_function(m, name, parameters, f, doc, args...);
  nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"))
      .def(name, f, args...,
           nb::sig(detail::format("def {}(self, {}) -> Array", name, parameters).c_str()),
           doc.c_str());
}

/// The axes that `axis` names; all for None.
inline AxisSet axis_set(const char* who, nb::handle axis) {
  const auto axes = axes_of(who, axis);
  return axes ? AxisSet(*axes) : AxisSet(all_axes);
}

}  // namespace isthmus::python
