// array_list.h: several arrays as arguments and results.
#pragma once

#include <optional>
#include <vector>

#include "isthmus/array/arrange/manipulate.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"

namespace isthmus::python {

/// The arrays in a sequence. Throws type for what is none.
inline std::vector<Array> arrays_of(const char* who, nb::handle sequence) {
  std::vector<Array> arrays;
  for (nb::handle item : sequence) arrays.push_back(require_array(who, item.ptr()));
  return arrays;
}

/// Nested lists of arrays as one array, stacked where they lie; nothing for a list that has
/// anything else in it. Throws as stack().
inline std::optional<Array> stacked(PyObject* list, std::size_t depth = 0) {
  if ((!PyList_Check(list) && !PyTuple_Check(list)) || depth == max_dimensions) return {};
  std::vector<Array> arrays;
  for (nb::handle item : nb::borrow<nb::sequence>(list)) {
    std::optional<Array> part =
        is_array(item.ptr()) ? std::optional(array_of(item.ptr())) : stacked(item.ptr(), depth + 1);
    if (!part) return {};
    arrays.push_back(std::move(*part));
  }
  return arrays.empty() ? std::nullopt : std::optional(stack(arrays));
}

/// Arrays as a tuple.
inline nb::tuple tuple_of(const std::vector<Array>& arrays) {
  nb::list items = new_list();
  for (const Array& x : arrays) items.append(nb::steal(wrap(x)));
  return nb::tuple(items);
}

}  // namespace isthmus::python
