// bind_dtypes.cpp: dtypes are numpy.dtype objects; bfloat16 is ml_dtypes'.
#include <nanobind/stl/string.h>

#include <map>
#include <mutex>

#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

namespace {

PyObject* builtin_objects[builtin_type_count];  // live as long as the process
PyObject* dtype_class = nullptr;                // numpy.dtype
std::map<const RecordType*, PyObject*>& record_objects() {
  static auto& objects = *new std::map<const RecordType*, PyObject*>;
  return objects;
}

/// A struct as NumPy describes it, interned; its dtype object is the first that came.
DType record_of(nb::handle object) {
  RecordType type;
  type.bytes = nb::cast<std::int64_t>(object.attr("itemsize"));
  type.alignment = nb::cast<std::int64_t>(object.attr("alignment"));
  type.is_aligned = nb::cast<bool>(object.attr("isalignedstruct"));
  const nb::object names = object.attr("names");
  if (names.is_none()) {
    type.fields.push_back({"", nb::cast<std::string>(object.attr("str")), 0, {}, nullptr});
  } else {
    const nb::object fields = object.attr("fields");
    for (nb::handle name : names) {
      const nb::object field = fields[name];
      nb::object base = field[0];
      RecordType::Field made;
      made.name = utf8_of(name);
      made.byte_offset = nb::cast<std::int64_t>(field[1]);
      if (nb::len(field) > 2) made.title = utf8_of(nb::str(field[2]));
      const nb::object sub = base.attr("subdtype");
      if (!sub.is_none()) {
        for (nb::handle extent : nb::object(sub[1]))
          made.shape.push_back(nb::cast<std::int64_t>(extent));
        base = sub[0];
      }
      check(!nb::cast<bool>(base.attr("hasobject")), Errc::type,
            "dtype: field '{}' holds Python objects; arrays of numbers cannot hold them",
            made.name);
      made.format = nb::cast<std::string>(base.attr("str"));
      const std::string kind = nb::cast<std::string>(base.attr("kind"));
      check(kind.size() == 1 && std::string_view("?biufcV").find(kind[0]) != std::string_view::npos,
            Errc::type, "dtype: field '{}' is {}; structs hold numbers, bools and structs of them",
            made.name, utf8_of(nb::str(base)));
      if (!base.attr("names").is_none()) made.nested = record_of(base).record;
      type.fields.push_back(std::move(made));
    }
  }
  const RecordType* record = intern(std::move(type));
  auto [at, is_new] = record_objects().try_emplace(record, object.ptr());
  if (is_new) object.inc_ref();
  return DType(record);
}

nb::object as_dtype(nb::handle object) {
  if (Py_TYPE(object.ptr()) == reinterpret_cast<PyTypeObject*>(dtype_class))
    return nb::borrow(object);
  check(!object.is_none(), Errc::type, "dtype: None is not a dtype");
  check(!PyLong_Check(object.ptr()), Errc::type,
        "dtype: {} is not a dtype; pass several axes as one tuple: zeros((3, 4)), x.sum((0, 1))",
        found_as(object));
  return nb::steal(nb::handle(dtype_class)(object).release());
}

}  // namespace

PyObject* dtype_object(DType dtype) {
  if (dtype.is_builtin()) return builtin_objects[static_cast<int>(dtype.id)];
  return record_objects().at(dtype.record);
}

bool has_dtype_object(DType dtype) {
  return dtype.is_builtin() || record_objects().contains(dtype.record);
}

[[gnu::hot]] std::optional<DType> builtin_dtype_of(nb::handle object) {
  for (int i = 0; i < builtin_type_count; ++i)
    if (object.ptr() == builtin_objects[i]) return static_cast<TypeId>(i);
  return {};
}

DType dtype_of(nb::handle object) {
  if (const auto known = builtin_dtype_of(object)) return *known;
  const nb::object dtype = as_dtype(object);
  for (int i = 0; i < builtin_type_count; ++i) {
    if (dtype.ptr() == builtin_objects[i]) return static_cast<TypeId>(i);
    const int is_equal = PyObject_RichCompareBool(dtype.ptr(), builtin_objects[i], Py_EQ);
    if (is_equal < 0) throw nb::python_error();
    if (is_equal) return static_cast<TypeId>(i);
  }
  const std::string kind = nb::cast<std::string>(dtype.attr("kind"));
  const bool is_record = kind == "V" && nb::cast<std::int64_t>(dtype.attr("itemsize")) > 0 &&
                         !nb::cast<bool>(dtype.attr("hasobject")) &&
                         nb::object(dtype.attr("subdtype")).is_none();
  const bool is_custom = nb::cast<int>(dtype.attr("num")) >= 256;  // ml_dtypes and their like
  if (is_record && !is_custom) return record_of(dtype);
  const bool is_number = kind == "i" || kind == "u" || kind == "f" || kind == "c";
  const bool is_swapped = is_number && !nb::cast<bool>(dtype.attr("isnative"));
  fail(Errc::type,
       "dtype: {} is not supported; Isthmus has bool, integers, floats and complex in the "
       "machine's byte order, bfloat16, and structs of them{}",
       utf8_of(nb::str(dtype)),
       is_swapped ? "; for an array a of this dtype use a.astype(a.dtype.newbyteorder('='))" : "");
}

std::optional<DType> optional_dtype(nb::handle object) {
  if (object.is_none()) return {};
  return dtype_of(object);
}

void bind_dtypes(nb::module_& m) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  dtype_class = nb::object(numpy.attr("dtype")).release().ptr();
  const nb::object bfloat16 = nb::module_::import_("ml_dtypes").attr("bfloat16");
  for (int i = 0; i < builtin_type_count; ++i) {
    const TypeInfo& row = type_table[static_cast<std::size_t>(i)];
    const bool is_brain = static_cast<TypeId>(i) == TypeId::bfloat16;
    nb::object dtype = nb::handle(dtype_class)(
        is_brain ? bfloat16 : nb::object(nb::str(row.typestr.data(), row.typestr.size())));
    m.attr(nb::str(row.name.data(), row.name.size())) = dtype;
    builtin_objects[i] = dtype.release().ptr();
  }
  m.def(
      "_promote",
      [](nb::handle a, nb::handle b) {
        return nb::borrow(dtype_object(promote(dtype_of(a), dtype_of(b))));
      },
      nb::sig("def _promote(a: object, b: object, /) -> numpy.dtype[typing.Any]"));
  m.def(
      "_has_dtype",
      [](nb::handle device, nb::handle dtype) {
        return has_dtype(device_of(device), dtype_of(dtype));
      },
      nb::arg("device").none(), nb::arg("dtype"),
      nb::sig("def _has_dtype(device: object, dtype: object, /) -> bool"));
}

}  // namespace isthmus::python
