// bind_extremes.cpp: where in an array something is.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/array/reduce/extremes.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/object/array_list.h"
#include "python/src/object/beside.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

using detail::format;

namespace {

using Position = Array (*)(Array, OptionalInteger, Flag);

template <Position position>
void define(nb::module_& m, const char* name, const char* which) {
  define_both(
      m, name,
      "axis: int | None = None, out: Array | tuple[Array] | None = None, *, keepdims: bool = False",
      [name](nb::handle x, std::optional<std::int64_t> axis, nb::handle out, Flag keepdims) {
        const Array& array = require_array(name, x.ptr());
        return made_into(name, out, [&] { return position(array, axis, keepdims); });
      },
      format("Index of the {} element along an axis, or of all elements in row-major order.\n\n"
             "Of equal elements, the first one; if there is a NaN, the first NaN.\n\n"
             "{}Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all "
             "are removed.\n"
             "Returns: int64, new memory, pending until its value is needed, or `out`.\n"
             "Waits: no, unless others may change the memory of x.\n"
             "Raises: ValueError for an axis without elements, IndexError for an axis out of "
             "range, TypeError for complex numbers.\n"
             "Source: Array API 2025.12, {}.",
             which, out_note, name),
      nb::arg("axis").none() = nb::none(), nb::arg("out") = nb::none(), nb::kw_only(),
      nb::arg("keepdims") = false);
}

template <Position position>
void define_without_nan(nb::module_& m, const char* name, const char* which) {
  m.def(
      name,
      [name](nb::handle x, std::optional<std::int64_t> axis, nb::handle out, Flag keepdims) {
        const Array& array = require_array(name, x.ptr());
        return made_into(name, out, [&] { return position(array, axis, keepdims); });
      },
      nb::arg("x"), nb::arg("axis").none() = nb::none(), nb::arg("out") = nb::none(), nb::kw_only(),
      nb::arg("keepdims") = false,
      nb::sig(format("def {}(x: Array, /, axis: int | None = None, out: Array | tuple[Array] | "
                     "None = None, *, keepdims: bool = False) -> Array",
                     name)
                  .c_str()),
      format("Index of the {} element that is not NaN, along an axis or of all elements in "
             "row-major order.\n\n"
             "Of equal elements, the first one; never the index of a NaN, even if all other "
             "elements are infinite.\n\n"
             "{}Shapes: the axis is removed, or has length 1 with keepdims; without an axis, all "
             "are removed.\n"
             "Returns: int64, new memory, or `out`.\n"
             "Waits: for the result, unless x has an integer or bool dtype.\n"
             "Raises: ValueError if there are only NaNs or no elements along the axis, IndexError "
             "for an axis out of range, TypeError for complex numbers.\n"
             "Source: NumPy 2, {}.",
             which, out_note, name)
          .c_str());
}

}  // namespace

void bind_extremes(nb::module_& m) {
  define<argmax>(m, "argmax", "largest");
  define<argmin>(m, "argmin", "smallest");
  define_without_nan<nanargmax>(m, "nanargmax", "largest");
  define_without_nan<nanargmin>(m, "nanargmin", "smallest");
  m.def(
      "unravel_index",
      [](nb::handle indices, nb::handle shape, const std::string& order) {
        const Array array = array_from("unravel_index: indices", indices, nullptr);
        return tuple_of(unravel_index(array, dims_of("unravel_index", shape), order));
      },
      nb::arg("indices"), nb::arg("shape"), nb::arg("order") = "C",
      nb::sig("def unravel_index(indices: Elements, shape: Shape, /, order: str = 'C') -> "
              "tuple[Array, ...]"),
      "Converts flat indices into an array of this shape to an index for each axis.\n\n"
      "order: the order in which elements are counted, \"C\" (last axis fastest) or \"F\" (first "
      "axis fastest). An index that is too large or negative is not detected: the index of one "
      "axis is then out of range.\n"
      "Returns: int64, one array for each axis, new memory, pending.\n"
      "Raises: TypeError if the indices are not integers, ValueError for a shape without axes or "
      "elements and for an unknown order.\n"
      "Source: NumPy 2, unravel_index.");
}

}  // namespace isthmus::python
