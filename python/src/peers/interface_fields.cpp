// interface_fields.cpp: reads them, and says which one is wrong.
#include "python/src/peers/interface_fields.h"

#include <nanobind/stl/string.h>

#include "python/src/object/arguments.h"
#include "python/src/peers/foreign_errors.h"

namespace isthmus::python {

namespace {

/// Of a name of ours, which is ASCII.
const char* text_of(PyObject* name) { return PyUnicode_AsUTF8(name); }

bool is_number(PyObject* x) { return PyIndex_Check(x) && !PyBool_Check(x); }

}  // namespace

Fields::Fields(PyObject* name, nb::handle object) : attribute(text_of(name)) {
  const nb::object value = nb::steal(PyObject_GetAttr(object.ptr(), name));
  if (!value) throw nb::python_error();
  check(PyDict_Check(value.ptr()), Errc::exchange, "{}: expected a dict, not {}", attribute,
        found_as(value));
  fields_ = nb::borrow<nb::dict>(value);
}

nb::object Fields::get(PyObject* field) const {
  PyObject* found = PyDict_GetItemWithError(fields_.ptr(), field);
  if (!found) clear_answer();  // of a subclass's comparison
  return found ? nb::borrow(found) : nb::none();
}

std::string Fields::text(PyObject* field) const {
  const nb::object value = get(field);
  check(PyUnicode_Check(value.ptr()), Errc::exchange, "{}: {}: expected a text, not {}", attribute,
        text_of(field), found_as(value));
  Py_ssize_t length = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &length);
  if (!text) PyErr_Clear();
  check(text, Errc::exchange, "{}: {}: a text that is not valid Unicode", attribute,
        text_of(field));
  return {text, static_cast<std::size_t>(length)};
}

Dims Fields::numbers_of(PyObject* field, const nb::object& value) const {
  check(PyTuple_Check(value.ptr()), Errc::exchange, "{}: {}: expected a tuple of integers, not {}",
        attribute, text_of(field), found_as(value));
  try {
    return dims_of(attribute, value);
  } catch (const nb::python_error& error) {
    require_answer(error);  // which the caller reports
    throw;
  } catch (const Error&) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value.ptr()); ++i)
      check(is_number(PyTuple_GET_ITEM(value.ptr(), i)), Errc::exchange,
            "{}: {}: expected a tuple of integers, but one is {}", attribute, text_of(field),
            found_as(PyTuple_GET_ITEM(value.ptr(), i)));
    fail(Errc::exchange, "{}: {}: an integer is not between -2^63 and 2^63-1", attribute,
         text_of(field));
  }
}

Dims Fields::numbers(PyObject* field) const { return numbers_of(field, get(field)); }

std::int64_t Fields::number(PyObject* field) const {
  const nb::object value = get(field);
  if (value.is_none()) return 0;
  int overflow = 0;
  const bool is_exact = PyLong_CheckExact(value.ptr());
  const auto number = is_exact ? PyLong_AsLongLongAndOverflow(value.ptr(), &overflow) : 0;
  if (is_exact && !overflow) return number;
  check(PyIndex_Check(value.ptr()), Errc::exchange, "{}: {}: expected an integer, not {}",
        attribute, text_of(field), found_as(value));
  return numbers_of(field, nb::make_tuple(value))[0];
}

void Fields::require_version(long version) const {
  const nb::object value = get("version"_name);
  const nb::object number =
      is_number(value.ptr()) ? nb::steal(PyNumber_Index(value.ptr())) : nb::object();
  if (number && PyLong_AsLong(number.ptr()) == version) return;
  clear_answer();
  fail(Errc::exchange, "{}: version: expected {}, not {}", attribute, version,
       utf8_of(nb::repr(value)));
}

Layout Fields::layout(DType dtype, StrideUnit unit) const {
  Layout layout;
  layout.shape = numbers("shape"_name);
  const nb::object given = get("strides"_name);
  if (given.is_none()) {
    layout.strides = Dims(layout.shape.size(), 0);
    check_extents(attribute, dtype, layout);  // before they multiply
    return row_major({layout.shape.begin(), layout.shape.end()});
  }
  Dims& strides = layout.strides;
  strides = numbers_of("strides"_name, given);
  check(strides.size() == layout.shape.size(), Errc::exchange, "{}: strides: {} for {} axes",
        attribute, strides.size(), layout.shape.size());
  if (unit == StrideUnit::bytes) {
    make_strides_elements(attribute, layout, dtype);
    return layout;
  }
  for (std::size_t i = 0; i < strides.size(); ++i)
    if (layout.shape[i] == 0 || layout.shape[i] == 1) strides[i] = 0;
  return layout;
}

Address Fields::address() const {
  const nb::object data = get("data"_name);
  check(PyTuple_Check(data.ptr()) || PyList_Check(data.ptr()), Errc::exchange,
        "{}: data: expected a pair (address, is_read_only), not {}", attribute, found_as(data));
  const Py_ssize_t length = PySequence_Fast_GET_SIZE(data.ptr());
  check(length == 2, Errc::exchange,
        "{}: data: expected a pair (address, is_read_only), not {} of {}", attribute,
        found_as(data), length);
  PyObject* const number = PySequence_Fast_GET_ITEM(data.ptr(), 0);
  PyObject* const flag = PySequence_Fast_GET_ITEM(data.ptr(), 1);
  check(is_number(number), Errc::exchange, "{}: data: the address is {}, not an int", attribute,
        found_as(number));
  check(PyIndex_Check(flag) || has_attribute(flag, "dtype"_name), Errc::exchange,
        "{}: data: is_read_only is {}, not a bool", attribute, found_as(flag));
  const nb::object index = nb::steal(PyNumber_Index(number));
  const unsigned long long address = index ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
  if (PyErr_Occurred()) {
    clear_answer();
    fail(Errc::exchange, "{}: data: the address is not between 0 and 2^64-1", attribute);
  }
  const int is_read_only = PyObject_IsTrue(flag);
  if (is_read_only < 0) throw nb::python_error();
  return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), is_read_only != 0};
}

bool shows(nb::handle object, PyObject* attribute) {
  if (PyType_Check(object.ptr())) return false;
  return _PyType_Lookup(Py_TYPE(object.ptr()), attribute) || has_attribute(object.ptr(), attribute);
}

HeldBuffer hold_buffer(nb::handle exporter) {
  auto unfilled = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(exporter.ptr(), unfilled.get(), PyBUF_SIMPLE)) throw nb::python_error();
  return HeldBuffer(unfilled.release());
}

Address address_in(const Fields& fields, const Py_buffer& view, std::int64_t byte_offset,
                   DType dtype, const Layout& layout) {
  check(byte_offset >= 0 && byte_offset <= view.len, Errc::exchange,
        "{}: offset: byte {} is outside the buffer of {} bytes", fields.attribute, byte_offset,
        view.len);
  char* address = static_cast<char*>(view.buf) + byte_offset;
  check_foreign(fields.attribute, address, dtype, layout);
  if (layout.count()) {
    const Extent extent = extent_of(layout);
    check(byte_offset + extent.begin * dtype.bytes() >= 0 &&
              byte_offset + extent.end * dtype.bytes() <= view.len,
          Errc::exchange, "{}: shape: {} with strides {} is beyond the buffer of {} bytes",
          fields.attribute, layout.shape, layout.strides, view.len);
  }
  return {address, view.readonly != 0};
}

}  // namespace isthmus::python
