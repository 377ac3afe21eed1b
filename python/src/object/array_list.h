// array_list.h: several arrays as arguments and results.
#pragma once

#include <vector>

#include "isthmus/array/arrange/manipulate.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"

namespace isthmus::python {

/// The arrays in a sequence. Throws type for what is none.
inline std::vector<Array> arrays_of(const char* who, nb::handle sequence) {
  const bool is_one = is_array(sequence.ptr()) && array_of(sequence.ptr()).ndim() == 0;
  const nb::object items = is_one ? nb::object() : nb::steal(PyObject_GetIter(sequence.ptr()));
  if (!items && !is_one) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
  }
  check(items.is_valid(), Errc::type, "{}: expected a sequence of arrays, not {}{}", who,
        found_as(sequence), is_one ? " without axes" : "");
  std::vector<Array> arrays;
  for (nb::handle item : items) arrays.push_back(require_array(who, item.ptr()));
  return arrays;
}

/// Arrays as a tuple.
inline nb::tuple tuple_of(const std::vector<Array>& arrays) {
  nb::list items = new_list();
  for (const Array& x : arrays) items.append(nb::steal(wrap(x)));
  return nb::tuple(items);
}

}  // namespace isthmus::python
