// array_interface.cpp: __array_interface__, version 3, as producer and as consumer.
#include <nanobind/stl/string.h>

#include <memory>

#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

constexpr const char* attribute = "__array_interface__";

// ---- as producer

std::string reason_against(const Array& array) {
  if (!is_host_reachable(array))
    return format("memory of {} is out of the host's reach; copy it with to_device(\"cpu\")",
                  array.device());
  if (array.dtype() == DType(TypeId::bfloat16))
    return "bfloat16 has no typestr; __dlpack__ and __array__ carry it";
  return {};
}

/// Who read the address must hold the object, so that one count serves all who did.
void show(ArrayObject& object) {
  if (object.shows) return lend_briefly(object.array);
  begin_export(object.array);
  object.shows = 1;
}

PyObject* array_interface_of(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    ArrayObject& object = object_of(self);
    const Array& array = object.array;
    const std::string reason = reason_against(array);
    if (!reason.empty()) {  // at once, so that hasattr() evaluates nothing
      PyErr_Format(PyExc_AttributeError, "%s: %s", attribute, reason.c_str());
      return nullptr;
    }
    show(object);
    Dims byte_strides;
    for (std::int64_t stride : with_plain_strides(array.layout()).strides)
      byte_strides.push_back(stride * array.dtype().bytes());
    nb::dict d;
    d["version"] = 3;
    d["typestr"] = typestr_of(array.dtype());
    d["shape"] = tuple_of({array.shape().begin(), array.shape().end()});
    d["strides"] = tuple_of({byte_strides.begin(), byte_strides.end()});
    d["data"] = nb::make_tuple(
        reinterpret_cast<std::uintptr_t>(array.storage()->memory()->host) +
            static_cast<std::uintptr_t>(array.layout().offset * array.dtype().bytes()),
        array.is_read_only());
    if (array.dtype().record) d["descr"] = nb::handle(dtype_object(array.dtype())).attr("descr");
    return d.release().ptr();
  });
}

const PyGetSetDef attributes[] = {
    {attribute, array_interface_of, nullptr,
     "Shape, typestr, byte strides and address, version 3.\n\n"
     "Waits: for its value and all work on its memory, which is shared while this object lives.\n"
     "Raises: AttributeError, and evaluates nothing, where the host cannot reach the memory.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---- as consumer

nb::object field_of(const nb::dict& d, const char* name) {
  PyObject* found = PyDict_GetItemString(d.ptr(), name);
  return found ? nb::borrow(found) : nb::none();
}

Dims numbers_of(const char* field, const nb::object& object) {
  check(PyTuple_Check(object.ptr()), Errc::exchange,
        "{}: {}: expected a tuple of integers, not a {}", attribute, field,
        Py_TYPE(object.ptr())->tp_name);
  try {
    return dims_of(attribute, object);
  } catch (const nb::python_error&) {
    fail(Errc::exchange, "{}: {}: expected a tuple of integers", attribute, field);
  } catch (const Error& error) {
    fail(Errc::exchange, "{}: {}: {}", attribute, field, error.what());
  }
}

bool is_bfloat16(nb::handle object) {
  if (!nb::hasattr(object, "dtype")) return false;
  try {
    return dtype_of(object.attr("dtype")) == DType(TypeId::bfloat16);
  } catch (const std::exception&) {
    return false;  // whatever it is, it is not that one
  }
}

DType dtype_from(const nb::dict& d, nb::handle object) {
  const nb::object text = field_of(d, "typestr");
  check(PyUnicode_Check(text.ptr()), Errc::exchange, "{}: typestr: expected a text, not a {}",
        attribute, Py_TYPE(text.ptr())->tp_name);
  const char* typestr = PyUnicode_AsUTF8(text.ptr());
  if (!typestr) throw nb::python_error();
  if (std::string_view(typestr) == info(TypeId::bfloat16).typestr && is_bfloat16(object))
    return TypeId::bfloat16;
  const nb::object descr = field_of(d, "descr");
  const bool is_struct = std::string_view(typestr).substr(0, 2) == "|V" && !descr.is_none();
  if (!is_struct) {
    const DType dtype = dtype_from_typestr(typestr);
    check(dtype != DType(TypeId::bfloat16), Errc::exchange, "{}: typestr: '{}' says too little",
          attribute, typestr);
    return dtype;
  }
  DType dtype;
  try {
    nb::object made = nb::module_::import_("numpy").attr("dtype")(descr);
    // a dtype without fields, as NumPy describes it
    if (nb::len(descr) == 1 && nb::cast<std::string>(nb::object(descr[0])[0]).empty())
      made = nb::module_::import_("numpy").attr("dtype")(text);
    dtype = dtype_of(made);
  } catch (const nb::python_error&) {
    fail(Errc::exchange, "{}: descr: NumPy makes no dtype of it", attribute);
  }
  check(typestr_of(dtype) == typestr, Errc::exchange, "{}: descr: has {} bytes, typestr is '{}'",
        attribute, dtype.bytes(), typestr);
  return dtype;
}

Layout layout_from(const nb::dict& d, DType dtype) {
  Layout layout;
  layout.shape = numbers_of("shape", field_of(d, "shape"));
  const nb::object strides = field_of(d, "strides");
  if (strides.is_none()) {
    layout.strides = Dims(layout.shape.size(), 0);
    check_foreign(attribute, attribute, TypeId::int8, layout);  // the extents, before they multiply
    return row_major({layout.shape.begin(), layout.shape.end()});
  }
  Dims byte_strides = numbers_of("strides", strides);
  check(byte_strides.size() == layout.shape.size(), Errc::exchange, "{}: strides: {} for {} axes",
        attribute, byte_strides.size(), layout.shape.size());
  for (std::size_t i = 0; i < byte_strides.size(); ++i)
    if (layout.shape[i] == 0 || layout.shape[i] == 1) byte_strides[i] = 0;
  layout.strides = in_elements({byte_strides.begin(), byte_strides.end()}, dtype);
  return layout;
}

struct Data {
  void* address = nullptr;
  bool is_read_only = false;
};

Data address_from(const nb::object& data) {
  check(PyTuple_Check(data.ptr()) && PyTuple_GET_SIZE(data.ptr()) == 2, Errc::exchange,
        "{}: data: expected (address, is_read_only) or None, not a {}", attribute,
        Py_TYPE(data.ptr())->tp_name);
  PyObject* number = PyTuple_GET_ITEM(data.ptr(), 0);
  check(PyLong_Check(number), Errc::exchange, "{}: data: the address is a {}, not an int",
        attribute, Py_TYPE(number)->tp_name);
  const unsigned long long address = PyLong_AsUnsignedLongLong(number);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    fail(Errc::exchange, "{}: data: the address is not in 0 to 2^64-1", attribute);
  }
  const int is_read_only = PyObject_IsTrue(PyTuple_GET_ITEM(data.ptr(), 1));
  if (is_read_only < 0) throw nb::python_error();
  return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), is_read_only != 0};
}

/// Where the data are in a buffer, and whether all of them are.
Data address_in(const Py_buffer& view, const nb::object& offset, DType dtype,
                const Layout& layout) {
  std::int64_t byte = 0;
  if (!offset.is_none()) byte = numbers_of("offset", nb::make_tuple(offset))[0];
  check(byte >= 0 && byte <= view.len, Errc::exchange,
        "{}: offset: {} is outside the buffer of {} bytes", attribute, byte, view.len);
  char* address = static_cast<char*>(view.buf) + byte;
  check_foreign(attribute, address, dtype, layout);
  if (layout.count()) {
    const Extent extent = extent_of(layout);
    check(byte + extent.begin * dtype.bytes() >= 0 && byte + extent.end * dtype.bytes() <= view.len,
          Errc::exchange, "{}: shape: {} with strides {} is past the buffer of {} bytes", attribute,
          layout.shape, layout.strides, view.len);
  }
  return {address, view.readonly != 0};
}

bool speaks(nb::handle object) {
  return !PyType_Check(object.ptr()) && nb::hasattr(object, attribute);
}

struct Release {
  void operator()(Py_buffer* view) const {
    PyBuffer_Release(view);
    delete view;
  }
};

Array import_array(nb::handle object, const ImportRequest& request) {
  const nb::object value = object.attr(attribute);
  check(PyDict_Check(value.ptr()), Errc::exchange, "{}: expected a dict, not a {}", attribute,
        Py_TYPE(value.ptr())->tp_name);
  const nb::dict d = nb::borrow<nb::dict>(value);
  const nb::object version = field_of(d, "version");
  const bool is_known = PyLong_Check(version.ptr()) && PyLong_AsLong(version.ptr()) == 3;
  PyErr_Clear();
  check(is_known, Errc::exchange, "{}: version: expected 3, not {}", attribute,
        nb::cast<std::string>(nb::str(version)));
  check(field_of(d, "mask").is_none(), Errc::exchange, "{}: mask: masked arrays are not supported",
        attribute);
  const DType dtype = dtype_from(d, object);
  const Layout layout = layout_from(d, dtype);
  const nb::object data = field_of(d, "data");
  if (PyTuple_Check(data.ptr())) {
    const Data at = address_from(data);
    check_foreign(attribute, at.address, dtype, layout);
    return adopt_host(at.address, dtype, layout, at.is_read_only, object, request.is_private);
  }
  const nb::object exporter = data.is_none() ? nb::borrow(object) : data;
  check(PyObject_CheckBuffer(exporter.ptr()), Errc::exchange,
        "{}: data: expected (address, is_read_only), None or a buffer, not a {}", attribute,
        Py_TYPE(data.ptr())->tp_name);
  auto unfilled = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(exporter.ptr(), unfilled.get(), PyBUF_SIMPLE)) throw nb::python_error();
  std::unique_ptr<Py_buffer, Release> view(unfilled.release());
  const Data at = address_in(*view, field_of(d, "offset"), dtype, layout);
  Foreign foreign;
  foreign.address = at.address;
  foreign.dtype = dtype;
  foreign.layout = layout;
  foreign.is_read_only = at.is_read_only;
  foreign.owner = view.get();
  foreign.release = release_buffer;
  Array array = adopt(foreign);
  view.release();
  return array;
}

Explanation explain_export(const Array& array) {
  const std::string reason = reason_against(array);
  if (!reason.empty()) return {Explanation::Verdict::impossible, reason};
  return {Explanation::Verdict::zero_copy, array.is_read_only() ? "read-only" : ""};
}

}  // namespace

extern const Protocol array_interface;
const Protocol array_interface = {"array_interface", 40,      speaks,  import_array,  nullptr,
                                  attributes,        nullptr, nullptr, explain_export};

}  // namespace isthmus::python
