// bind_manipulate.cpp: views by shape, joining, and conversion.
#include <nanobind/stl/optional.h>

#include "isthmus/array/manipulate.h"
#include "python/src/array_object.h"
#include "python/src/bind.h"

namespace isthmus::python {

namespace {

std::span<const std::int64_t> all(const Dims& dims) { return {dims.begin(), dims.end()}; }

std::vector<Array> arrays_of(const char* who, nb::handle sequence) {
  std::vector<Array> arrays;
  for (nb::handle item : sequence) arrays.push_back(require_array(who, item.ptr()));
  return arrays;
}

}  // namespace

void bind_manipulate(nb::module_& m) {
  m.def(
      "reshape",
      [](nb::handle x, nb::handle shape, std::optional<bool> copy) {
        const Dims dims = dims_of("reshape", shape);
        return nb::steal(wrap(reshape(require_array("reshape", x.ptr()), all(dims), copy)));
      },
      nb::arg("x"), nb::arg("shape"), nb::kw_only(), nb::arg("copy") = nb::none(),
      nb::sig("def reshape(x: Array, /, shape: Shape, *, copy: bool | None = None) "
              "-> Array"),
      "The elements in another shape, one extent of which may be -1.\n\nReturns: a view if strides "
      "allow it and copy is not True, else new memory, pending.\nRaises: ValueError if sizes "
      "differ, CopyRefusedError if copy is False and strides do not allow a view.\nSource: Array "
      "API 2025.12.");
  m.def(
      "permute_dims",
      [](nb::handle x, nb::handle axes) {
        const Dims order = dims_of("permute_dims", axes);
        return nb::steal(wrap(permute_dims(require_array("permute_dims", x.ptr()), all(order))));
      },
      nb::arg("x"), nb::arg("axes"), nb::sig("def permute_dims(x: Array, /, axes: Axes) -> Array"),
      "The axes in another order.\n\nReturns: a view.\nRaises: ValueError if an axis is repeated "
      "or missing, IndexError outside the array.\nSource: Array API 2025.12.");
  m.def(
      "broadcast_to",
      [](nb::handle x, nb::handle shape) {
        const Dims dims = dims_of("broadcast_to", shape);
        return nb::steal(wrap(broadcast_to(require_array("broadcast_to", x.ptr()), all(dims))));
      },
      nb::arg("x"), nb::arg("shape"),
      nb::sig("def broadcast_to(x: Array, /, shape: Shape) -> Array"),
      "The array seen through a larger shape.\n\nReturns: a read-only view.\nRaises: ValueError "
      "if it does not broadcast.\nSource: Array API 2025.12.");
  m.def(
      "expand_dims",
      [](nb::handle x, nb::handle axis) {
        const Dims axes = dims_of("expand_dims", axis);
        return nb::steal(wrap(expand_dims(require_array("expand_dims", x.ptr()), all(axes))));
      },
      nb::arg("x"), nb::arg("axis") = 0,
      nb::sig("def expand_dims(x: Array, /, axis: Axes = 0) -> Array"),
      "New axes of length 1 at these places of the result.\n\nReturns: a view.\nRaises: IndexError "
      "outside the result, ValueError if one is repeated.\nSource: Array API 2025.12.");
  m.def(
      "squeeze",
      [](nb::handle x, nb::handle axis) {
        const Dims axes = dims_of("squeeze", axis);
        return nb::steal(wrap(squeeze(require_array("squeeze", x.ptr()), all(axes))));
      },
      nb::arg("x"), nb::arg("axis"), nb::sig("def squeeze(x: Array, /, axis: Axes) -> Array"),
      "Without these axes of length 1.\n\nReturns: a view.\nRaises: ValueError if one is longer.\n"
      "Source: Array API 2025.12.");
  m.def(
      "flip",
      [](nb::handle x, nb::handle axis) {
        const auto axes = axes_of("flip", axis);
        const Array& array = require_array("flip", x.ptr());
        return nb::steal(wrap(axes ? flip(array, *axes) : flip(array)));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(),
      nb::sig("def flip(x: Array, /, *, axis: Axes | None = None) -> Array"),
      "The elements in reverse order along these axes, or all.\n\nReturns: a view.\nSource: Array "
      "API 2025.12.");
  m.def(
      "concat",
      [](nb::handle arrays, std::optional<std::int64_t> axis) {
        return nb::steal(wrap(concat(arrays_of("concat", arrays), axis)));
      },
      nb::arg("arrays"), nb::kw_only(), nb::arg("axis").none() = 0,
      nb::sig("def concat(arrays: collections.abc.Sequence[Array], /, *, axis: int | None = 0) -> "
              "Array"),
      "The arrays one after the other along an axis; flattened if it is None.\n\nReturns: new "
      "memory.\nRaises: ValueError if shapes differ beside the axis.\nSource: Array API 2025.12.");
  m.def(
      "stack",
      [](nb::handle arrays, std::int64_t axis) {
        return nb::steal(wrap(stack(arrays_of("stack", arrays), axis)));
      },
      nb::arg("arrays"), nb::kw_only(), nb::arg("axis") = 0,
      nb::sig("def stack(arrays: collections.abc.Sequence[Array], /, *, axis: int = 0) -> Array"),
      "The arrays along a new axis.\n\nReturns: new memory.\nRaises: ValueError if shapes "
      "differ.\nSource: Array API 2025.12.");
  m.def(
      "astype",
      [](nb::handle x, nb::handle dtype, bool copy, nb::handle device) {
        const Array& array = require_array("astype", x.ptr());
        const DType as = dtype_of(dtype);
        const Device where = device.is_none() ? array.device() : device_of(device);
        if (as == array.dtype() && where == array.device() && !copy) return nb::borrow(x);
        return nb::steal(wrap(to_device(astype(array, as, copy), where)));
      },
      nb::arg("x"), nb::arg("dtype"), nb::kw_only(), nb::arg("copy") = true,
      nb::arg("device") = nb::none(),
      nb::sig("def astype(x: Array, dtype: object, /, *, copy: bool = True, device: Device | str | "
              "None = None) -> Array"),
      "The elements as another dtype.\n\nReturns: new memory, pending; x itself if it has the "
      "dtype "
      "and copy is False.\nSource: Array API 2025.12.");
}

}  // namespace isthmus::python
