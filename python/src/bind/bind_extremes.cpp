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
      format("Index of the {} element along an axis, or in row-major order of all.\n\nThe first "
             "one of equal elements, and the first NaN if there is one.\n\n{}Shapes: the axis "
             "goes, or has length 1 with keepdims; without an axis all go.\nReturns: int64, new "
             "memory, pending until somebody looks, or `out`.\nWaits: no, unless x is shared with "
             "others who may change it.\nRaises: ValueError for no elements along the axis, "
             "IndexError for an axis outside the array, TypeError for complex numbers.\nSource: "
             "Array API 2025.12, {}.",
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
      format(
          "Index of the {} element that is not NaN, along an axis or in row-major order of "
          "all.\n\nThe first one of equal elements; of an element that is not NaN also where "
          "that is infinite.\n\n{}Shapes: the axis goes, or has length 1 with keepdims; without "
          "an axis all go.\nReturns: int64, new memory, or `out`.\nWaits: for the result, unless "
          "x is of integers or bools.\nRaises: ValueError for nothing but NaN or no elements "
          "along the axis, IndexError for an axis outside the array, TypeError for complex "
          "numbers.\nSource: NumPy 2, {}.",
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
      "Indices into the elements of an array of this shape as an index for each axis.\n\norder: in "
      "which elements are counted, \"C\" for the last axis first, \"F\" for the first axis first. "
      "An "
      "index that is too large or negative is not found out: that of one axis is outside the shape "
      "then.\nReturns: int64, one array for each axis, new memory, "
      "pending.\nRaises: TypeError for what are no integers, ValueError for a shape without axes "
      "or elements and another order.\nSource: NumPy 2, unravel_index.");
}

}  // namespace isthmus::python
