// interface_fields.h: the dictionaries in which attribute protocols show arrays.
#pragma once

#include <memory>

#include "python/src/object/name.h"
#include "python/src/protocol.h"

namespace isthmus::python {

/// Where an array begins, and whether it may be written to.
struct Address {
  void* pointer = nullptr;
  bool is_read_only = false;
};

/// A buffer that is held.
struct ReleaseBuffer {
  void operator()(Py_buffer* view) const {
    PyBuffer_Release(view);
    delete view;
  }
};
using HeldBuffer = std::unique_ptr<Py_buffer, ReleaseBuffer>;

/// Fields of a dictionary such as __array_interface__. All members throw exchange for values that
/// cannot be; the text begins with the attribute and names the field.
class Fields {
 public:
  enum class StrideUnit { bytes, elements };

  /// Asks the object for it. Names, here and below, are "such"_name. Throws exchange if it is no
  /// dict.
  Fields(PyObject* attribute, nb::handle object);

  nb::object get(PyObject* field) const;  ///< None if there is none.
  std::string text(PyObject* field) const;
  Dims numbers(PyObject* field) const;         ///< Of a tuple.
  std::int64_t number(PyObject* field) const;  ///< 0 if there is none.
  void require_version(long version) const;
  /// Fields "shape" and "strides"; the offset is 0. Extents are checked.
  Layout layout(DType dtype, StrideUnit unit) const;
  /// Field "data" where it is a pair (address, is_read_only).
  Address address() const;

  const char* const attribute;

 private:
  Dims numbers_of(PyObject* field, const nb::object& value) const;
  nb::dict fields_;
};

/// Whether an object, not a class, has the attribute. Runs no code of a property.
bool shows(nb::handle object, PyObject* attribute);

/// A flat, contiguous buffer of the object. Throws what the object raises.
HeldBuffer hold_buffer(nb::handle exporter);
/// The place in it at which a layout begins. Throws exchange if the layout is not all inside.
Address address_in(const Fields& fields, const Py_buffer& view, std::int64_t byte_offset,
                   DType dtype, const Layout& layout);

}  // namespace isthmus::python
