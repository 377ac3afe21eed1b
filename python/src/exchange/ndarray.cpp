// ndarray.cpp: numpy.ndarray objects, read from their head.
#include "python/src/peers/ndarray.h"

#include "python/src/protocol.h"

namespace isthmus::python {

namespace {

// The capsule, the buffer and the dictionary of an ndarray say what its head says, for the price of
// a few loads, and of all its dtypes; and the owner is not hidden from the garbage collector.

bool speaks(nb::handle object) { return as_ndarray(object.ptr()) != nullptr; }

Array import_array(nb::handle object, const ImportRequest& request) {
  const Ndarray& array = *as_ndarray(object.ptr());
  return import_ndarray(array, dtype_of(nb::handle(array.dtype)), request.is_private);
}

Explanation explain_export(const Array&) {
  return {Explanation::Verdict::impossible, "only NumPy makes its arrays; see array_method"};
}

}  // namespace

[[gnu::hot]] Array import_ndarray(const Ndarray& array, DType dtype, bool is_private) {
  auto* const object = const_cast<PyObject*>(&array.ob_base);
  const auto ndim = static_cast<std::size_t>(array.ndim);
  Foreign foreign;
  foreign.who = "ndarray";
  foreign.address = array.data;
  foreign.dtype = dtype;
  foreign.layout.shape.assign(array.shape, array.shape + ndim);
  foreign.layout.strides.assign(array.byte_strides, array.byte_strides + ndim);
  make_strides_elements("ndarray", foreign.layout, foreign.dtype);
  foreign.is_read_only = !(array.flags & Ndarray::is_writeable);
  foreign.is_private = is_private;
  foreign.owner = object;
  foreign.release = release_object;
  Array adopted = adopt(foreign);
  Py_INCREF(object);
  return adopted;
}

extern const Protocol ndarray;
const Protocol ndarray = {"ndarray", 5,       speaks,  import_array,  nullptr,
                          nullptr,   nullptr, nullptr, explain_export};

}  // namespace isthmus::python
