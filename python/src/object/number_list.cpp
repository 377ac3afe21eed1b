// number_list.cpp: nested lists of Python's own numbers as an array.
#include "python/src/object/number_list.h"

#include "isthmus/array/create/create.h"
#include "isthmus/core/memory.h"

namespace isthmus::python {

namespace {

bool is_plain_list(PyObject* object) {
  return PyList_CheckExact(object) || PyTuple_CheckExact(object);
}

/// The items of a plain list. No code of a user runs while we read them.
struct Items {
  explicit Items(PyObject* list)
      : count(PyList_CheckExact(list) ? PyList_GET_SIZE(list) : PyTuple_GET_SIZE(list)),
        first(PyList_CheckExact(list) ? reinterpret_cast<PyListObject*>(list)->ob_item
                                      : reinterpret_cast<PyTupleObject*>(list)->ob_item) {}
  PyObject* const* begin() const { return first; }
  PyObject* const* end() const { return first + count; }

  Py_ssize_t count;
  PyObject* const* first;
};

/// In the order in which one of a list makes all of them its own.
enum class Kind : std::uint8_t { boolean, integer, real, other };

Kind kind_of(PyObject* object) {
  if (PyFloat_CheckExact(object)) return Kind::real;
  if (PyBool_Check(object)) return Kind::boolean;
  if (!PyLong_CheckExact(object)) return Kind::other;
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow ? Kind::other : Kind::integer;
}

/// The lengths of the lists in a first one, from outside in.
std::optional<Dims> shape_of(PyObject* list) {
  Dims shape;
  for (PyObject* inner = list; is_plain_list(inner);) {
    const Items items(inner);
    if (items.count == 0 || shape.size() == max_dimensions) return {};
    shape.push_back(items.count);
    inner = *items.first;
  }
  return shape;
}

/// Of all numbers, or `other` if the lists have not this shape from an axis on.
Kind kind_of_all(PyObject* list, const Dims& shape, std::size_t axis) {
  const Items items(list);
  if (items.count != shape[axis]) return Kind::other;
  const bool is_last = axis + 1 == shape.size();
  Kind kind = Kind::boolean;
  for (PyObject* const item : items) {
    if (!is_last && !is_plain_list(item)) return Kind::other;
    kind = std::max(kind, is_last ? kind_of(item) : kind_of_all(item, shape, axis + 1));
    if (kind == Kind::other) return kind;
  }
  return kind;
}

/// Writes all numbers as T, in row-major order.
template <class T>
void write(PyObject* list, std::size_t depth, T*& to) {
  for (PyObject* const item : Items(list))
    if (depth > 1)
      write(item, depth - 1, to);
    else if constexpr (std::is_same_v<T, double>)
      *to++ = PyFloat_CheckExact(item) ? PyFloat_AS_DOUBLE(item) : PyLong_AsDouble(item);
    else if constexpr (std::is_same_v<T, bool>)
      *to++ = item == Py_True;
    else
      *to++ = PyLong_AsLongLong(item);
}

template <class T>
Array written(PyObject* list, const Dims& shape, TypeId dtype) {
  const Array made = empty({shape.begin(), shape.end()}, dtype, Device());
  BackendMemory& memory = *made.storage()->memory();
  auto* to = static_cast<T*>(memory.host);
  write(list, shape.size(), to);
  memory.has_any_bytes = false;
  return made;
}

}  // namespace

std::optional<Array> array_of_numbers(PyObject* list) {
  if (!is_plain_list(list)) return {};
  const std::optional<Dims> shape = shape_of(list);
  if (!shape) return {};
  switch (kind_of_all(list, *shape, 0)) {
    case Kind::boolean: return written<bool>(list, *shape, TypeId::bool_);
    case Kind::integer: return written<std::int64_t>(list, *shape, TypeId::int64);
    case Kind::real: return written<double>(list, *shape, TypeId::float64);
    default: return {};
  }
}

}  // namespace isthmus::python
