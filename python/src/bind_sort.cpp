// bind_sort.cpp: elements in order.
#include "isthmus/array/sort.h"

#include "python/src/array_object.h"
#include "python/src/bind.h"

namespace isthmus::python {

namespace {

template <Array (*calculate)(Array, std::int64_t, const SortOptions&)>
void define(nb::module_& m, const char* name, const char* what) {
  m.def(
      name,
      [name](nb::handle x, std::int64_t axis, bool descending, bool stable) {
        return nb::steal(wrap(calculate(require_array(name, x.ptr()), axis, {descending, stable})));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis") = -1, nb::arg("descending") = false,
      nb::arg("stable") = true,
      nb::sig(detail::format("def {}(x: Array, /, *, axis: int = -1, descending: bool = False, "
                             "stable: bool = True) -> Array",
                             name)
                  .c_str()),
      detail::format(
          "{}, the smallest first, or the largest with descending. NaN comes last in both "
          "directions; equal elements keep their order, stable or not.\n\nReturns: new "
          "memory, pending.\nWaits: no, unless x is shared with others who may change "
          "it.\nRaises: IndexError for an axis outside the array, ValueError for an array "
          "without axes, TypeError for complex and struct dtypes.\nSource: Array API "
          "2025.12, {}.",
          what, name)
          .c_str());
}

}  // namespace

void bind_sort(nb::module_& m) {
  define<sort>(m, "sort", "The elements along an axis in order");
  define<argsort>(m, "argsort", "Where along an axis the elements of sort() are, int64");
}

}  // namespace isthmus::python
