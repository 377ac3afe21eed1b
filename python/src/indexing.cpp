// indexing.cpp: x[...] and x[...] = y, of Python's keys.
#include "python/src/indexing.h"

#include <nanobind/stl/string.h>

#include "isthmus/array/field.h"
#include "isthmus/array/index.h"
#include "python/src/arguments.h"
#include "python/src/array_object.h"
#include "python/src/ndarray.h"

namespace isthmus::python {

namespace {

std::optional<std::int64_t> bound_of(PyObject* object) {
  if (object == Py_None) return {};
  const nb::object index = nb::steal(PyNumber_Index(object));
  if (!index) throw nb::python_error();
  // past 64 bits a bound means the end
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  return overflow > 0 ? INT64_MAX : overflow < 0 ? INT64_MIN : value;
}

IndexItem item_of(PyObject* object) {
  IndexItem item;
  if (object == Py_None) {
    item.kind = IndexItem::Kind::newaxis;
  } else if (object == Py_Ellipsis) {
    item.kind = IndexItem::Kind::ellipsis;
  } else if (PySlice_Check(object)) {
    const auto* slice = reinterpret_cast<PySliceObject*>(object);
    item.kind = IndexItem::Kind::slice;
    item.start = bound_of(slice->start);
    item.stop = bound_of(slice->stop);
    item.step = bound_of(slice->step);
  } else {
    const Ndarray* const ndarray = as_ndarray(object);
    const int ndim = is_array(object) ? array_of(object).ndim() : ndarray ? ndarray->ndim : 0;
    const bool is_number = PyIndex_Check(object) && !PyBool_Check(object) && ndim == 0;
    const bool is_list = is_array(object) || PyList_Check(object) || ndarray;
    check(is_number, Errc::index,
          "index: {} is no basic index; integers, slices, None and ... are{}", found_as(object),
          is_list ? "; isthmus.where chooses by a mask, and x.to_numpy() takes lists and arrays"
                  : "");
    const nb::object index = nb::steal(PyNumber_Index(object));
    if (!index) throw nb::python_error();
    int overflow = 0;
    item.integer = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    check(!overflow, Errc::index, "index: an integer past 64 bits is outside every axis");
  }
  return item;
}

/// The names in a list of names; nothing for another key.
std::optional<std::vector<std::string>> names_in(PyObject* key) {
  if (!PyList_Check(key) || PyList_GET_SIZE(key) == 0) return {};
  std::vector<std::string> names;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(key); ++i) {
    PyObject* const name = PyList_GET_ITEM(key, i);
    if (!PyUnicode_Check(name)) return {};
    names.push_back(utf8_of(name));
  }
  return names;
}

/// x["name"] and x[["name", "other"]], of structs. NumPy says what is left of the dtype.
Array fields_at(const Array& x, PyObject* key, const std::vector<std::string>& names) {
  const Array found = fields(x, names);
  const nb::object dtype = nb::handle(dtype_object(x.dtype()))[nb::handle(key)];
  return as_struct(found, dtype_of(dtype));
}

Array field_at(const Array& x, const std::string& name) {
  const Array found = field(x, name);
  if (found.dtype().record) {
    const nb::object dtypes = nb::handle(dtype_object(x.dtype())).attr("fields");
    const nb::object dtype = nb::object(dtypes[name.c_str()])[0];
    const nb::object base = dtype.attr("base");
    dtype_of(base);  // has a numpy.dtype from now on
  }
  return found;
}

Array view_at(PyObject* self, PyObject* key) {
  if (array_of(self).dtype().record) {
    if (PyUnicode_Check(key)) return field_at(array_of(self), utf8_of(key));
    if (const auto names = names_in(key)) return fields_at(array_of(self), key, *names);
  }
  std::vector<IndexItem> items;
  if (PyTuple_Check(key)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i)
      items.push_back(item_of(PyTuple_GET_ITEM(key, i)));
  } else {
    items.push_back(item_of(key));
  }
  return isthmus::index(array_of(self), items);
}

}  // namespace

PyObject* subscript(PyObject* self, PyObject* key) noexcept {
  return guarded([&] { return wrap(view_at(self, key)); });
}

int assign_subscript(PyObject* self, PyObject* key, PyObject* value) noexcept {
  try {
    check(value, Errc::type, "setitem: elements of an array cannot be deleted");
    const Array target = view_at(self, key);
    if (const auto direct = value_of(value)) {
      assign(target, *direct);
    } else {
      // other arrays and nested lists: whatever asarray() takes; what is Python's must fit
      const bool is_literal =
          PyList_Check(value) || PyTuple_Check(value) || !target.dtype().is_builtin();
      const nb::object none = nb::none();
      const nb::object dtype = is_literal ? nb::borrow(dtype_object(target.dtype())) : none;
      const nb::object on_host = is_literal ? nb::object(nb::str("cpu")) : none;
      const nb::object converted = nb::module_::import_("isthmus").attr("asarray")(
          nb::handle(value), nb::arg("dtype") = dtype, nb::arg("device") = on_host);
      assign(target, array_of(converted.ptr()));
    }
    return 0;
  } catch (...) {
    set_python_error();
    return -1;
  }
}

}  // namespace isthmus::python
