// lists.cpp: arrays as nested lists of Python's numbers.
#include "python/src/object/lists.h"

#include "isthmus/core/internal.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

namespace {

/// The elements from `at` on, over the axes from `axis` on.
nb::object numbers_from(const char* at, const Array& x, int axis) {
  if (axis == x.ndim()) return nb::steal(number_of(load(x.dtype(), at)));
  const auto k = static_cast<std::size_t>(axis);
  const std::int64_t count = x.shape()[k];
  // where there are no elements a stride in bytes may not fit
  const std::int64_t step = x.size() == 0 ? 0 : x.layout().strides[k] * x.dtype().bytes();
  nb::object list = nb::steal(PyList_New(count));
  if (!list.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < count; ++i)
    PyList_SET_ITEM(list.ptr(), i, numbers_from(at + i * step, x, axis + 1).release().ptr());
  return list;
}

}  // namespace

PyObject* list_of_numbers(const Array& x) {
  const Array here = to_host(x);
  const auto* const start = static_cast<const char*>(here.storage()->memory()->host);
  return numbers_from(start + here.layout().offset * here.dtype().bytes(), here, 0).release().ptr();
}

}  // namespace isthmus::python
