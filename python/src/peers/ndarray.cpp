// ndarray.cpp: numpy.ndarray by its layout, which is compared with what Python says of it first.
#include "python/src/peers/ndarray.h"

#include <cstddef>
#include <cstdint>
#include <exception>

#include "python/src/object/array_object.h"
#include "python/src/peers/foreign_errors.h"

namespace isthmus::python {

namespace {

/// numpy.ndarray, or null if its layout is not the one we know.
PyTypeObject* known_ndarray() {
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object owner = numpy.attr("zeros")(nb::make_tuple(2, 3));
  const nb::object view = owner[nb::slice(1, 2, 1)];
  const auto* a = reinterpret_cast<const Ndarray*>(owner.ptr());
  const auto* b = reinterpret_cast<const Ndarray*>(view.ptr());
  const auto address = [](const nb::object& x) {
    return nb::cast<std::uintptr_t>(x.attr("ctypes").attr("data"));
  };
  const bool is_as_expected =
      Py_TYPE(owner.ptr())->tp_weaklistoffset == offsetof(Ndarray, weak_references) &&
      reinterpret_cast<std::uintptr_t>(a->data) == address(owner) &&
      reinterpret_cast<std::uintptr_t>(b->data) == address(view) && a->ndim == 2 &&
      a->shape[0] == 2 && a->shape[1] == 3 && a->byte_strides[0] == 24 && a->byte_strides[1] == 8 &&
      !a->base && b->base == owner.ptr() && a->dtype == nb::object(owner.attr("dtype")).ptr() &&
      (a->flags & Ndarray::owns_data) && !(b->flags & Ndarray::owns_data) &&
      (a->flags & Ndarray::is_writeable);
  auto* type = reinterpret_cast<PyTypeObject*>(nb::object(numpy.attr("ndarray")).ptr());
  return is_as_expected ? type : nullptr;
}

/// Whether a subclass shares its memory as ndarray does.
bool shares_as_ndarray(PyTypeObject* type, PyTypeObject* ndarray) {
  const auto find = [](PyTypeObject* in) {
    return nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(in), "__dlpack__"));
  };
  const nb::object theirs = find(type);
  clear_answer();
  const nb::object numpys = find(ndarray);
  clear_answer();
  return theirs.ptr() && theirs.is(numpys);
}

}  // namespace

PyTypeObject* ndarray_type() noexcept {
  static PyTypeObject* const type = [] {
    try {
      return known_ndarray();
    } catch (const std::exception&) {
      return static_cast<PyTypeObject*>(nullptr);
    }
  }();
  return type;
}

[[gnu::hot]] const Ndarray* as_ndarray(PyObject* object) {
  PyTypeObject* type = ndarray_type();
  if (!type) return nullptr;
  const bool is_one = Py_TYPE(object) == type || (PyType_IsSubtype(Py_TYPE(object), type) &&
                                                  shares_as_ndarray(Py_TYPE(object), type));
  return is_one ? reinterpret_cast<const Ndarray*>(object) : nullptr;
}

}  // namespace isthmus::python
