// bind_scan.cpp: what a reduction gives up to each element.
#include <nanobind/stl/optional.h>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/reduce/nan_statistics.h"
#include "isthmus/array/sort/scan.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

constexpr const char* order_doc =
    " in an order that depends only on the shape, with the same bits from run to run";

using detail::format;
using Axis = std::optional<std::int64_t>;
using Cumulative = Array (*)(Array, OptionalInteger, std::optional<DType>, Flag);

constexpr const char* shared_doc =
    "\n\n"
    "Shapes: that of x{}; without an axis, x must be 1-d.\n"
    "Returns: new memory, pending; one kernel together with the operations that calculate x.\n"
    "Waits: no, unless others may change the memory of x.\n"
    "Accuracy: {}.\n"
    "Raises: IndexError for an axis out of range, ValueError if an axis is needed, TypeError for a "
    "dtype that is refused.\n"
    "Source: {}.";

void define(nb::module_& m, const char* name, const char* method, Cumulative calculate,
            Reduction reduction) {
  const ReductionInfo& row = info(reduction);
  m.def(
      name,
      [=](nb::handle x, Axis axis, nb::handle dtype, Flag include_initial) {
        return nb::steal(wrap(
            calculate(require_array(name, x.ptr()), axis, optional_dtype(dtype), include_initial)));
      },
      nb::arg("x"), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(), nb::kw_only(),
      nb::arg("include_initial") = false,
      nb::sig(format("def {}(x: Array, /, axis: int | None = None, dtype: object | None = None, *, "
                     "include_initial: bool = False) -> Array",
                     name)
                  .c_str()),
      (format("{} For each element along the axis, it includes this element and all before it; "
              "with include_initial, {} comes first.",
              row.summary, row.identity) +
       detail::format(shared_doc, ", or one longer with include_initial",
                      format("floats are {}{}",
                             reduction == Reduction::sum ? "added" : "multiplied", order_doc),
                      format("Array API 2025.12, {}", name)))
          .c_str());
  nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"))
      .def(
          method,
          [=](nb::handle x, Axis axis, nb::handle dtype, nb::handle out) {
            Array array = require_array(method, x.ptr());
            if (!axis && array.ndim() != 1) array = reshape(array, {-1});
            const auto as = optional_dtype(dtype);
            return made_into(method, out, [&] {
              return calculate(std::move(array), axis ? axis : Axis(0), as, false);
            });
          },
          nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(),
          nb::sig(format("def {}(self, axis: int | None = None, dtype: object | None = None, out: "
                         "Array | tuple[Array] | None = None) -> Array",
                         method)
                      .c_str()),
          format("{} under NumPy's name: without an axis, of all elements in row-major order.\n\n"
                 "out: an array that receives the result instead of new memory; it is returned.\n"
                 "Returns: new memory, pending, or `out`.\n"
                 "Raises: as {}.\n"
                 "Source: NumPy 2, ndarray.{}.",
                 name, name, method)
              .c_str());
}

void define(nb::module_& m, const char* name, Array (*calculate)(Array, OptionalInteger),
            const char* what) {
  m.def(
      name,
      [=](nb::handle x, Axis axis) {
        return nb::steal(wrap(calculate(require_array(name, x.ptr()), axis)));
      },
      nb::arg("x"), nb::arg("axis") = nb::none(),
      nb::sig(format("def {}(x: Array, /, axis: int | None = None) -> Array", name).c_str()),
      (format("{} up to and including each element along the axis; NaN from the first NaN on.",
              what) +
       detail::format(shared_doc, "", "exact", "NumPy 2, accumulate of its ufuncs"))
          .c_str());
}

void define_without_nan(nb::module_& m, const char* name,
                        Array (*calculate)(const Array&, OptionalInteger, std::optional<DType>),
                        const char* method, const char* nothing) {
  m.def(
      name,
      [=](nb::handle x, Axis axis, nb::handle dtype, nb::handle out) {
        const Array& array = require_array(name, x.ptr());
        return made_into(name, out, [&] { return calculate(array, axis, optional_dtype(dtype)); });
      },
      nb::arg("x"), nb::arg("axis") = nb::none(), nb::arg("dtype") = nb::none(),
      nb::arg("out") = nb::none(),
      nb::sig(format("def {}(x: Array, /, axis: int | None = None, dtype: object | None = None, "
                     "out: Array | tuple[Array] | None = None) -> Array",
                     name)
                  .c_str()),
      format("x.{}(axis, dtype) with {} in the place of NaN; without an axis, of all elements in "
             "row-major order.\n\n"
             "out: an array that receives the result instead of new memory; it is returned.\n"
             "Returns: new memory, pending, or `out`.\n"
             "Waits: no, unless others may change the memory of x.\n"
             "Raises: IndexError for an axis out of range, TypeError for a dtype that is refused.\n"
             "Source: NumPy 2, {}.",
             method, nothing, name)
          .c_str());
}

}  // namespace

void bind_scan(nb::module_& m) {
  define(m, "cumulative_sum", "cumsum", cumulative_sum, Reduction::sum);
  define(m, "cumulative_prod", "cumprod", cumulative_prod, Reduction::prod);
  define_without_nan(m, "nancumsum", nancumsum, "cumsum", "0");
  define_without_nan(m, "nancumprod", nancumprod, "cumprod", "1");
  define(m, "cumulative_max", cumulative_max, "Largest element");
  define(m, "cumulative_min", cumulative_min, "Smallest element");
}

}  // namespace isthmus::python
