// bind_manipulate.cpp: views by shape, joining, and conversion.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_list.h"
#include "python/src/object/array_object.h"
#include "python/src/object/flag.h"
#include "python/src/object/indexing.h"

namespace isthmus::python {

namespace {

std::span<const std::int64_t> all(const Dims& dims) { return {dims.begin(), dims.end()}; }

Array squeezed(nb::handle x, nb::handle axis) {
  const Array& array = require_array("squeeze", x.ptr());
  const auto axes = axes_of("squeeze", axis);
  return axes ? squeeze(array, *axes) : squeeze(array);
}

bool is_column_order(const char* who, const std::string& order) {
  check(order == "C" || order == "F", Errc::value, "{}: order: '{}' is none of C, F", who, order);
  return order == "F";
}

/// Elements are taken and placed in the order that is asked for.
Array reshaped(const char* who, const Array& x, const Dims& shape, const std::string& order,
               std::optional<bool> copy) {
  if (!is_column_order(who, order)) return reshape(x, all(shape), copy);
  Dims reversed = shape;
  std::ranges::reverse(reversed);
  return transpose(reshape(transpose(x), all(reversed), copy));
}

Array copied(const Array& x, const std::string& order) {
  if (order == "K") return copy(x);
  if (order == "A")
    return !is_row_major(x.layout()) && is_row_major(transpose(x).layout()) ? copy(x) : x.copy();
  check(order == "C" || order == "F", Errc::value, "copy: order: '{}' is none of C, F, A, K",
        order);
  return order == "F" ? transpose(transpose(x).copy()) : x.copy();
}

/// Of reshape(2, 3), reshape((2, 3)) and reshape(6).
Dims shape_in(const char* who, const nb::args& args) {
  if (args.size() == 1) return dims_of(who, args[0]);
  return dims_of(who, args);
}

template <Array (*part)(const Array&)>
nb::object part_of(const char* who, nb::handle x) {
  return nb::steal(wrap(part(require_array(who, x.ptr()))));
}

/// A dtype, and not what x.view() of other libraries, and of NumPy's subclasses, takes.
DType dtype_for_view(nb::handle dtype) {
  check(!PyLong_Check(dtype.ptr()) && !PyTuple_Check(dtype.ptr()), Errc::type,
        "view: dtype: {} is not a dtype; for another shape use x.reshape", found_as(dtype));
  const bool is_class = PyType_Check(dtype.ptr()) && nb::hasattr(dtype, "__dlpack__");
  check(!is_class, Errc::type,
        "view: dtype: {} is a class of arrays, not a dtype; use x.to_numpy() or its own function "
        "for arrays of others",
        found_as(dtype));
  return dtype_of(dtype);
}

/// What NumPy has as methods.
void bind_methods(nb::module_& m) {
  auto c = nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"));
  const auto self = [](const char* who, nb::handle x) -> const Array& {
    return require_array(who, x.ptr());
  };
  c.def(
      "reshape",
      [self](nb::handle x, nb::args shape, const std::string& order, std::optional<bool> copy) {
        return nb::steal(
            wrap(reshaped("reshape", self("reshape", x), shape_in("reshape", shape), order, copy)));
      },
      nb::arg("shape"), nb::kw_only(), nb::arg("order") = "C", nb::arg("copy") = nb::none(),
      nb::sig("def reshape(self, *shape: Shape, order: str = \"C\", copy: bool | None = None) -> "
              "Array"),
      "The elements in another shape; see isthmus.reshape. order \"F\" reads and places them with "
      "the first index fastest.");
  c.def(
      "ravel",
      [self](nb::handle x, const std::string& order) {
        const Array& array = self("ravel", x);
        return nb::steal(wrap(ravel(is_column_order("ravel", order) ? transpose(array) : array)));
      },
      nb::arg("order") = "C", nb::sig("def ravel(self, order: str = \"C\") -> Array"),
      "All elements as a 1-d array.\n\n"
      "Returns: a view if the elements lie in that order, else new memory.");
  c.def(
      "flatten",
      [self](nb::handle x, const std::string& order) {
        return nb::steal(wrap(reshaped("flatten", self("flatten", x), Dims{-1}, order, true)));
      },
      nb::arg("order") = "C", nb::sig("def flatten(self, order: str = \"C\") -> Array"),
      "All elements as a 1-d array.\n\n"
      "Returns: new memory, pending.");
  c.def(
      "copy",
      [self](nb::handle x, const std::string& order) {
        return nb::steal(wrap(copied(self("copy", x), order)));
      },
      nb::arg("order") = "C", nb::sig("def copy(self, order: str = \"C\") -> Array"),
      "A copy in row-major order (C), in column-major order (F), in the order that the elements "
      "have in memory (K), or in column-major order if x is, and else in row-major order (A).\n\n"
      "Returns: new memory; pending.\n"
      "Waits: no.\n"
      "Raises: ValueError for another order.");
  c.def(
      "transpose",
      [self](nb::handle x, nb::args axes) {
        const Array& array = self("transpose", x);
        const bool is_all = axes.size() == 0 || (axes.size() == 1 && axes[0].is_none());
        if (is_all) return nb::steal(wrap(transpose(array)));
        return nb::steal(wrap(permute_dims(array, all(shape_in("transpose", axes)))));
      },
      nb::arg("axes"), nb::sig("def transpose(self, *axes: Axes | None) -> Array"),
      "The axes in another order, or in reverse order.\n\nReturns: a view.");
  c.def(
      "swapaxes",
      [self](nb::handle x, std::int64_t first, std::int64_t second) {
        return nb::steal(wrap(swapaxes(self("swapaxes", x), first, second)));
      },
      nb::arg("axis1"), nb::arg("axis2"),
      nb::sig("def swapaxes(self, axis1: int, axis2: int) -> Array"),
      "Two axes swapped.\n\nReturns: a view.");
  c.def(
      "squeeze", [](nb::handle x, nb::handle axis) { return nb::steal(wrap(squeezed(x, axis))); },
      nb::arg("axis") = nb::none(), nb::sig("def squeeze(self, axis: Axes | None = None) -> Array"),
      "Removes these axes of length 1, or all axes of length 1.\n\n"
      "Returns: a view.");
  c.def(
      "astype",
      [self](nb::handle x, nb::handle dtype, Flag copy) {
        const Array& array = self("astype", x);
        const DType as = dtype_of(dtype);
        if (as == array.dtype() && !copy) return nb::borrow(x);
        return nb::steal(wrap(astype(array, as, copy)));
      },
      nb::arg("dtype"), nb::arg("copy") = true,
      nb::sig("def astype(self, dtype: object, copy: bool = True) -> Array"),
      "The elements as another dtype; see isthmus.astype.");
  c.def(
      "view",
      [self](nb::handle x, nb::handle dtype) {
        const Array& array = self("view", x);
        return nb::steal(wrap(array.view(dtype.is_none() ? array.dtype() : dtype_for_view(dtype))));
      },
      nb::arg("dtype") = nb::none(),
      nb::sig("def view(self, dtype: object | None = None) -> Array"),
      "The same memory as elements of another dtype, or of the same.\n\n"
      "Elements of another size need a contiguous last axis, which gets longer or shorter.\n\n"
      "Returns: a view.\n"
      "Waits: until the calculation of its value has started, if the dtype is another.\n"
      "Raises: ValueError if sizes do not fit, or if the new elements would not begin at multiples "
      "of their size; TypeError for a class of arrays.\n"
      "Source: NumPy 2, ndarray.view.");
  c.def(
      "fill",
      [self](nb::handle x, nb::handle value) { set_all("fill", self("fill", x), value.ptr()); },
      nb::arg("value"),
      nb::sig("def fill(self, value: Array | Number | tuple[typing.Any, ...]) -> None"),
      "Sets every element. Waits: no.");
  c.def_prop_rw(
      "real", [](nb::handle x) { return part_of<real_view>("real", x); },
      [](nb::handle x, nb::handle value) {
        set_all("real", real_view(require_array("real", x.ptr())), value.ptr());
      },
      nb::for_getter(nb::sig("def real(self) -> Array")),
      nb::for_setter(nb::sig("def real(self, value: Array | Number, /) -> None")),
      "The real parts, as a writable view. isthmus.real(x) returns new memory, and fuses.\n\n"
      "Waits: until the calculation of its value has started.");
  c.def_prop_rw(
      "imag", [](nb::handle x) { return part_of<imag_view>("imag", x); },
      [](nb::handle x, nb::handle value) {
        set_all("imag", imag_view(require_array("imag", x.ptr())), value.ptr());
      },
      nb::for_getter(nb::sig("def imag(self) -> Array")),
      nb::for_setter(nb::sig("def imag(self, value: Array | Number, /) -> None")),
      "The imaginary parts, as a writable view; for real numbers 0, read-only. isthmus.imag(x)\n"
      "returns new memory, and fuses.\n\n"
      "Waits: until the calculation of its value has started.");
}

}  // namespace

void bind_manipulate(nb::module_& m) {
  bind_methods(m);
  m.def(
      "reshape",
      [](nb::handle x, nb::handle shape, std::optional<bool> copy) {
        const Dims dims = dims_of("reshape", shape);
        return nb::steal(wrap(reshape(require_array("reshape", x.ptr()), all(dims), copy)));
      },
      nb::arg("x"), nb::arg("shape"), nb::kw_only(), nb::arg("copy") = nb::none(),
      nb::sig("def reshape(x: Array, /, shape: Shape, *, copy: bool | None = None) "
              "-> Array"),
      "The elements in another shape, in which one extent may be -1.\n\n"
      "Returns: a view if strides allow it and copy is not True, else new memory, pending.\n"
      "Raises: ValueError if sizes differ, CopyRefusedError if copy is False and strides do not "
      "allow a view.\n"
      "Source: Array API 2025.12.");
  m.def(
      "permute_dims",
      [](nb::handle x, nb::handle axes) {
        const Dims order = dims_of("permute_dims", axes);
        return nb::steal(wrap(permute_dims(require_array("permute_dims", x.ptr()), all(order))));
      },
      nb::arg("x"), nb::arg("axes"), nb::sig("def permute_dims(x: Array, /, axes: Axes) -> Array"),
      "The axes in another order.\n\n"
      "Returns: a view.\n"
      "Raises: ValueError if an axis is repeated or missing, IndexError for an axis out of range.\n"
      "Source: Array API 2025.12.");
  m.def(
      "moveaxis",
      [](nb::handle x, nb::handle source, nb::handle destination) {
        const Dims from = dims_of("moveaxis", source), to = dims_of("moveaxis", destination);
        return nb::steal(wrap(moveaxis(require_array("moveaxis", x.ptr()), all(from), all(to))));
      },
      nb::arg("x"), nb::arg("source"), nb::arg("destination"),
      nb::sig("def moveaxis(x: Array, source: Axes, destination: Axes, /) -> Array"),
      "The array with some axes moved to other positions.\n\n"
      "Returns: a view.\n"
      "Raises: ValueError if axes are repeated or differ in number, IndexError for an axis out of "
      "range.\n"
      "Source: Array API 2025.12.");
  m.def(
      "matrix_transpose",
      [](nb::handle x) {
        return nb::steal(wrap(matrix_transpose(require_array("matrix_transpose", x.ptr()))));
      },
      nb::arg("x"), nb::sig("def matrix_transpose(x: Array, /) -> Array"),
      "The last two axes swapped.\n\n"
      "Returns: a view.\n"
      "Raises: ValueError for fewer than two axes.\n"
      "Source: Array API 2025.12.");
  m.def(
      "unstack",
      [](nb::handle x, std::int64_t axis) {
        return tuple_of(unstack(require_array("unstack", x.ptr()), axis));
      },
      nb::arg("x"), nb::arg("axis") = 0,
      nb::sig("def unstack(x: Array, /, axis: int = 0) -> tuple[Array, ...]"),
      "Splits the array along an axis into its elements.\n\n"
      "Returns: views without that axis.\n"
      "Raises: IndexError for a bad axis, ValueError for an array without axes.\n"
      "Source: Array API 2025.12.");
  m.def(
      "broadcast_arrays",
      [](nb::args arrays) {
        return tuple_of(broadcast_arrays(arrays_of("broadcast_arrays", arrays)));
      },
      nb::arg("arrays"), nb::sig("def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]"),
      "Broadcasts the arrays to their common shape.\n\n"
      "Returns: views; those of arrays that had another shape are read-only.\n"
      "Raises: ValueError if there is none.\n"
      "Source: Array API 2025.12.");
  m.def(
      "broadcast_shapes",
      [](nb::args shapes) {
        std::vector<Shape> all_of_them;
        for (nb::handle shape : shapes)
          all_of_them.emplace_back(dims_of("broadcast_shapes", shape));
        return tuple_of(all(broadcast_shapes(all_of_them)));
      },
      nb::arg("shapes"), nb::sig("def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]"),
      "The shape to which all these shapes broadcast.\n\n"
      "Raises: ValueError if they do not.\n"
      "Source: Array API 2025.12.");
  m.def(
      "broadcast_to",
      [](nb::handle x, nb::handle shape) {
        const Dims dims = dims_of("broadcast_to", shape);
        return nb::steal(wrap(broadcast_to(require_array("broadcast_to", x.ptr()), all(dims))));
      },
      nb::arg("x"), nb::arg("shape"),
      nb::sig("def broadcast_to(x: Array, /, shape: Shape) -> Array"),
      "Broadcasts the array to a larger shape.\n\n"
      "Returns: a read-only view.\n"
      "Raises: ValueError if it does not broadcast.\n"
      "Source: Array API 2025.12.");
  m.def(
      "expand_dims",
      [](nb::handle x, nb::handle axis) {
        const Dims axes = dims_of("expand_dims", axis);
        return nb::steal(wrap(expand_dims(require_array("expand_dims", x.ptr()), all(axes))));
      },
      nb::arg("x"), nb::arg("axis") = 0,
      nb::sig("def expand_dims(x: Array, /, axis: Axes = 0) -> Array"),
      "Inserts axes of length 1 at these positions of the result.\n\n"
      "Returns: a view.\n"
      "Raises: IndexError for a position out of range, ValueError if one is repeated.\n"
      "Source: Array API 2025.12.");
  m.def(
      "squeeze", [](nb::handle x, nb::handle axis) { return nb::steal(wrap(squeezed(x, axis))); },
      nb::arg("x"), nb::arg("axis") = nb::none(),
      nb::sig("def squeeze(x: Array, /, axis: Axes | None = None) -> Array"),
      "Removes these axes of length 1, or all axes of length 1.\n\n"
      "Returns: a view.\n"
      "Raises: ValueError if an axis is longer.\n"
      "Source: Array API 2025.12.");
  m.def(
      "flip",
      [](nb::handle x, nb::handle axis) {
        const auto axes = axes_of("flip", axis);
        const Array& array = require_array("flip", x.ptr());
        return nb::steal(wrap(axes ? flip(array, *axes) : flip(array)));
      },
      nb::arg("x"), nb::arg("axis") = nb::none(),
      nb::sig("def flip(x: Array, /, axis: Axes | None = None) -> Array"),
      "The elements in reverse order along these axes, or along all.\n\n"
      "Returns: a view.\n"
      "Source: Array API 2025.12.");
  m.def(
      "concat",
      [](nb::handle arrays, std::optional<std::int64_t> axis) {
        return nb::steal(wrap(concat(arrays_of("concat", arrays), axis)));
      },
      nb::arg("arrays"), nb::arg("axis").none() = 0,
      nb::sig("def concat(arrays: collections.abc.Sequence[Array], /, axis: int | None = 0) -> "
              "Array"),
      "Joins the arrays along an axis; flattens them first if the axis is None.\n\n"
      "Returns: new memory, pending; one kernel for each array. More than 2048 arrays are joined "
      "immediately, and so are more than 16 on the host whose elements take up to 1 MB.\n"
      "Waits: for those on the host.\n"
      "Raises: ValueError if shapes differ in another axis.\n"
      "Source: Array API 2025.12.");
  m.def(
      "stack",
      [](nb::handle arrays, std::int64_t axis) {
        return nb::steal(wrap(stack(arrays_of("stack", arrays), axis)));
      },
      nb::arg("arrays"), nb::arg("axis") = 0,
      nb::sig("def stack(arrays: collections.abc.Sequence[Array], /, axis: int = 0) -> Array"),
      "Joins the arrays along a new axis.\n\n"
      "Returns: new memory, pending, and waits, as concat().\n"
      "Raises: ValueError if shapes differ.\n"
      "Source: Array API 2025.12.");
  m.def(
      "astype",
      [](nb::handle x, nb::handle dtype, Flag copy, nb::handle device) {
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
