// indexing.cpp: x[...] and x[...] = y, of Python's keys.
#include "python/src/object/indexing.h"

#include <nanobind/stl/string.h>

#include <mutex>

#include "isthmus/array/apply.h"
#include "isthmus/array/index/field.h"
#include "isthmus/array/index/index.h"
#include "isthmus/hazards/hazards.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/indices.h"
#include "python/src/peers/foreign_class.h"

namespace isthmus::python {

namespace {

// Items are made where they stay: a copy of what has just been written piece by piece waits for it.

void read_bound(PyObject* object, std::optional<std::int64_t>& bound) {
  if (object == Py_None) return;
  check(PyIndex_Check(object), Errc::type, "index: {} in a slice; expected integers or None",
        found_as(object));
  const nb::object index = nb::steal(PyNumber_Index(object));
  if (!index) throw nb::python_error();
  // past 64 bits a bound means the end
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  bound = overflow > 0 ? INT64_MAX : overflow < 0 ? INT64_MIN : value;
}

void read_slice(PyObject* object, IndexItem& item) {
  const auto* bounds = reinterpret_cast<PySliceObject*>(object);
  read_bound(bounds->start, item.start);
  read_bound(bounds->stop, item.stop);
  read_bound(bounds->step, item.step);
}

std::int64_t number_of_int(PyObject* integer, const char* who = "index") {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(integer, &overflow);
  check(!overflow, Errc::index, "{}: an integer beyond 64 bits is out of bounds for every axis",
        who);
  return number;
}

std::int64_t number_at(PyObject* object, const char* who) {
  check(PyIndex_Check(object), Errc::index,
        "{}: {} is not an index; use integers, slices, None, ..., and arrays of integers or bools",
        who, found_as(object));
  const nb::object index = nb::steal(PyNumber_Index(object));
  if (!index) throw nb::python_error();
  return number_of_int(index.ptr(), who);
}

using IndexItems = SmallVector<IndexItem, 4>;

/// Adds what is no array, nor anything that could be made into one; false for other objects.
bool add_plain_item(PyObject* object, IndexItems& items) {
  if (PyLong_CheckExact(object))
    items.emplace_back(number_of_int(object));
  else if (PySlice_Check(object))
    read_slice(object, items.emplace_back(IndexItem::Kind::slice));
  else if (object == Py_None)
    items.emplace_back(newaxis);
  else if (object == Py_Ellipsis)
    items.emplace_back(ellipsis);
  else
    return false;
  return true;
}

IndexEntry entry_of(const char* who, const Array& x, PyObject* object) {
  if (IndexItems plain; add_plain_item(object, plain)) return plain[0];
  if (auto indices = indices_of(who, object, x)) {
    const Family family = indices->dtype().family;
    const bool is_integer = family == Family::integer || family == Family::natural;
    if (indices->ndim() > 0 || !is_integer) return std::move(*indices);
  }
  return number_at(object, who);
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

/// The fields that a key names; nothing for another key.
std::optional<Array> fields_in(const Array& x, PyObject* key) {
  if (!x.dtype().record) return {};
  if (PyUnicode_Check(key)) return field_at(x, utf8_of(key));
  if (const auto names = names_in(key)) return fields_at(x, key, *names);
  return {};
}

/// The entries of a key: a tuple's, or itself.
std::span<PyObject* const> parts_of(PyObject* const& key) {
  if (!PyTuple_Check(key)) return {&key, 1};
  return {&PyTuple_GET_ITEM(key, 0), static_cast<std::size_t>(PyTuple_GET_SIZE(key))};
}

/// Adds what a key without arrays means; false for one that may have some.
bool add_plain_items(PyObject* key, IndexItems& items) {
  for (PyObject* const part : parts_of(key))
    if (!add_plain_item(part, items)) return false;
  return true;
}

/// Whatever asarray() takes; what is Python's must fit the dtype.
nb::object array_from(PyObject* value, DType dtype) {
  static constinit ForeignClass structs("numpy", "void");
  if (structs.has(value)) {  // its buffer does not say titles, that of an array is not asked
    const nb::object array = nb::module_::import_("numpy").attr("array")(nb::handle(value));
    return array_from(array.ptr(), dtype);
  }
  const bool is_literal = PyList_Check(value) || PyTuple_Check(value) || !dtype.is_builtin();
  const nb::object none = nb::none();
  const nb::object type = is_literal ? nb::borrow(dtype_object(dtype)) : none;
  const nb::object on_host = is_literal ? nb::object(nb::str("cpu")) : none;
  return nb::module_::import_("isthmus").attr("asarray")(nb::handle(value), nb::arg("dtype") = type,
                                                         nb::arg("device") = on_host);
}

/// Whether only the caller's expression holds a pending value that goes to all of `target`: it is
/// written there alone, and not to memory of its own, too. Not where that costs little.
bool is_given_up(PyObject* value, const Array& target) {
  constexpr std::int64_t few = 8192;
#if defined(Py_GIL_DISABLED)
  return false;  // a reference count says nothing there
#elif PY_VERSION_HEX >= 0x030E0000
  if (!PyUnstable_Object_IsUniqueReferencedTemporary(value)) return false;
#else
  if (Py_REFCNT(value) != 1) return false;
#endif
  if (!is_array(value)) return false;
  const ArrayObject& object = object_of(value);
  const Array& given = object.array;
  if (!given.is_pending() || object.first || object.others || object.shows) return false;
  const bool fits = given.size() > few && given.dtype() == target.dtype() &&
                    given.device() == target.device() && given.shape() == target.shape();
  if (!fits || !target.storage()->is_ready()) return false;
  const std::lock_guard lock(graph_lock());
  return !target.storage()->memory()->is_shared();  // of shared memory no copy stays pending
}

/// Writes it. Compiled Python code may hold the only reference in a variable of C, and look at it
/// again: it is a pending copy of what was written then, which costs nothing if nobody does, and
/// empty if the write failed.
void write_given_up(const Array& target, PyObject* value) {
  Array& given = object_of(value).array;
  assign(target, Value::of_released(given));
  given = copy(target);
}

/// Calls `write` with what is to be written to elements of a dtype.
void with_elements(PyObject* value, DType dtype, auto write) {
  const bool is_text = PyUnicode_Check(value) || PyBytes_Check(value);
  check(value != Py_None && !(is_text && dtype.is_builtin()), Errc::type,
        "setitem: {} is neither an array nor a number", found_as(value));
  if (const auto direct = value_of(value))
    write(*direct);
  else
    write(array_of(array_from(value, dtype).ptr()));
}

}  // namespace

std::vector<IndexEntry> entries_of(const char* who, const Array& x, PyObject* key) {
  std::vector<IndexEntry> entries;
  for (PyObject* const part : parts_of(key)) entries.push_back(entry_of(who, x, part));
  return entries;
}

PyObject* subscript(PyObject* self, PyObject* key) noexcept {
  return guarded([&] {
    const Array& x = array_of(self);
    if (PyLong_CheckExact(key)) {  // loops over elements and rows: without the list of items
      const IndexItem item(number_of_int(key));
      return wrap(isthmus::index(x, std::span(&item, 1)));
    }
    if (IndexItems items; add_plain_items(key, items))
      return wrap(isthmus::index(x, std::span<const IndexItem>(items)));
    if (auto named = fields_in(x, key)) return wrap(std::move(*named));
    return wrap(isthmus::index(x, std::span<const IndexEntry>(entries_of("index", x, key))));
  });
}

int assign_subscript(PyObject* self, PyObject* key, PyObject* value) noexcept {
  try {
    check(value, Errc::type, "setitem: elements of an array cannot be deleted");
    const Array& x = array_of(self);
    std::optional<Array> view;
    if (IndexItems items; add_plain_items(key, items))
      view = isthmus::index(x, std::span<const IndexItem>(items));
    else
      view = fields_in(x, key);
    if (view && is_given_up(value, *view)) return write_given_up(*view, value), 0;
    const auto entries = view ? std::vector<IndexEntry>() : entries_of("index", x, key);
    with_elements(value, (view ? *view : x).dtype(), [&](const Value& elements) {
      view ? assign(*view, elements) : assign(x, std::span(entries), elements);
    });
    return 0;
  } catch (...) {
    set_python_error();
    return -1;
  }
}

/// A place that is still negative lies before all elements: as the index that it was.
static std::int64_t index_of(PyObject* self, Py_ssize_t place) {
  const Array& x = array_of(self);
  return place < 0 && x.ndim() > 0 ? place - x.shape()[0] : place;
}

PyObject* item_at(PyObject* self, Py_ssize_t place) noexcept {
  return guarded([&] {
    const IndexItem item(index_of(self, place));
    return wrap(isthmus::index(array_of(self), std::span(&item, 1)));
  });
}

int assign_item(PyObject* self, Py_ssize_t place, PyObject* value) noexcept {
  const nb::object key = nb::steal(PyLong_FromLongLong(index_of(self, place)));
  return key ? assign_subscript(self, key.ptr(), value) : -1;
}

void set_all(const char* who, const Array& x, PyObject* value) {
  with_elements(value, x.dtype(),
                [&](const Value& elements) { detail::assign_for(who, x, elements); });
}

}  // namespace isthmus::python
