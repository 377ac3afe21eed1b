// array_interface.cpp: __array_interface__, version 3, as producer and as consumer.
#include <nanobind/stl/string.h>

#include "python/src/object/cleared_interrupt.h"
#include "python/src/object/collections.h"
#include "python/src/peers/foreign_class.h"
#include "python/src/peers/foreign_errors.h"
#include "python/src/peers/interface_fields.h"

namespace isthmus::python {

using detail::format;

namespace {

constexpr const char* attribute = "__array_interface__";

// ---- as producer

/// Whether NumPy makes the same struct of what it calls its description.
bool is_described(DType dtype) {
  try {
    const nb::handle object(dtype_object(dtype));
    return nb::module_::import_("numpy").attr("dtype")(object.attr("descr")).equal(object);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ValueError)) throw;
    return false;
  }
}

std::string reason_against(const Array& array) {
  if (!is_host_reachable(array))
    return format("the host cannot access memory of {}; copy it with to_device(\"cpu\")",
                  array.device());
  if (array.dtype() == DType(TypeId::bfloat16))
    return "bfloat16 has no typestr; __dlpack__ and __array__ support it";
  // NumPy asks this after the buffer and before __array__, and would go on with another struct
  const DType dtype = array.dtype();
  if (dtype.record && !has_buffer_format(dtype) && !is_described(dtype))
    return format("NumPy has no description of {}; __array__ supports it", dtype);
  return {};
}

PyObject* array_interface_of(PyObject* self, void*) {
  if (raise_cleared_interrupt(self)) return nullptr;
  return guarded([&]() -> PyObject* {
    ArrayObject& object = object_of(self);
    const Array& array = object.array;
    const std::string reason = reason_against(array);
    if (!reason.empty()) {  // at once, so that hasattr() evaluates nothing
      PyErr_Format(PyExc_AttributeError, "%s: %s", attribute, reason.c_str());
      return nullptr;
    }
    show_address(object);
    const Dims byte_strides = byte_strides_of(array);
    nb::dict d = new_dict();
    d["version"] = 3;
    d["typestr"] = typestr_of(array.dtype());
    d["shape"] = tuple_of({array.shape().begin(), array.shape().end()});
    // None of dense rows: some consumers, Pillow among them, take no other
    if (is_row_major(array.layout()))
      d["strides"] = nb::none();
    else
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
     "Waits: for its value and all work on its memory, which is shared while this object is "
     "alive.\n"
     "Raises: AttributeError, without evaluating anything, if the host cannot access the memory.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---- as consumer

/// What a typestr of mere bytes says too little of: bfloat16 and other dtypes that NumPy was
/// taught, by the object's own dtype.
std::optional<DType> dtype_beside(const std::string& typestr, nb::handle object) {
  if (typestr.size() < 2 || typestr[1] != 'V' || !has_attribute(object.ptr(), "dtype"_name))
    return {};
  const nb::object named = object.attr("dtype");
  static constinit ForeignClass numpys("numpy", "dtype");
  if (!numpys.has(named)) return {};  // who knows what that is
  try {
    return dtype_of(named);
  } catch (const Error& error) {
    fail(Errc::exchange, "{}: typestr: '{}': {}", attribute, typestr, error.text());
  }
}

DType dtype_from(const Fields& fields, nb::handle object) {
  const std::string typestr = fields.text("typestr"_name);
  if (const auto dtype = dtype_beside(typestr, object); dtype && dtype->is_builtin()) return *dtype;
  const nb::object descr = fields.get("descr"_name);
  const bool is_struct = typestr.substr(0, 2) == "|V" && !descr.is_none();
  if (!is_struct) {
    const DType dtype = dtype_from_typestr(typestr);
    check(dtype != DType(TypeId::bfloat16), Errc::exchange, "{}: typestr: '{}' is not sufficient",
          attribute, typestr);
    return dtype;
  }
  DType dtype;
  try {
    nb::object made = nb::module_::import_("numpy").attr("dtype")(descr);
    // a dtype without fields, as NumPy describes it
    if (nb::len(descr) == 1 && nb::object(nb::object(descr[0])[0]).equal(nb::str("")))
      made = nb::module_::import_("numpy").attr("dtype")(nb::cast(typestr));
    dtype = dtype_of(made);
  } catch (const nb::python_error& error) {
    require_answer(error);
    fail(Errc::exchange, "{}: descr: NumPy cannot make a dtype of it", attribute);
  }
  check(typestr_of(dtype) == typestr, Errc::exchange, "{}: descr: has {} bytes, typestr is '{}'",
        attribute, dtype.bytes(), typestr);
  return dtype;
}

bool speaks(nb::handle object) { return shows(object, "__array_interface__"_name); }

Array import_array(nb::handle object, const ImportRequest& request) {
  const Fields fields("__array_interface__"_name, object);
  fields.require_version(3);
  check(fields.get("mask"_name).is_none(), Errc::exchange,
        "{}: mask: masked arrays are not supported", attribute);
  const DType dtype = dtype_from(fields, object);
  const Layout layout = fields.layout(dtype, Fields::StrideUnit::bytes);
  const nb::object data = fields.get("data"_name);
  const nb::object exporter = data.is_none() ? nb::borrow(object) : data;
  if (PyTuple_Check(data.ptr()) || !PyObject_CheckBuffer(exporter.ptr())) {
    const Address at = fields.address();
    check_foreign(attribute, at.pointer, dtype, layout);
    return adopt_host(at.pointer, dtype, layout, at.is_read_only, object, request.is_private);
  }
  HeldBuffer view = hold_buffer(exporter);
  const Address at = address_in(fields, *view, fields.number("offset"_name), dtype, layout);
  Foreign foreign;
  foreign.address = at.pointer;
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
