// bind_search.cpp: where values belong in sorted elements, and between points.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/array/index/search.h"
#include "python/src/bind/bind.h"
#include "python/src/object/array_object.h"
#include "python/src/object/beside.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

nb::object searched(nb::handle x, nb::handle values, const std::string& side, nb::handle sorter) {
  check(side == "left" || side == "right", Errc::value,
        "searchsorted: side: '{}' is none of left, right", side);
  const Array& near = first_array("searchsorted", x, values);
  const Array array = array_beside("searchsorted: x1", x, near);
  const OperandBeside wanted("searchsorted: x2", values, near);
  const auto order = optional_array_beside("searchsorted: sorter", sorter, near);
  return nb::steal(
      wrap(searchsorted(array, wanted.value(), side == "left" ? Side::left : Side::right, order)));
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::borrow<nb::class_<ArrayObject>>(m.attr("Array"))
      .def("searchsorted", searched, nb::arg("v"), nb::arg("side") = "left",
           nb::arg("sorter") = nb::none(),
           nb::sig("def searchsorted(self, v: Elements, side: str = 'left', sorter: Elements | "
                   "None = None) -> Array"),
           "See isthmus.searchsorted.");
  m.def("searchsorted", searched, nb::arg("x1"), nb::arg("x2"), nb::arg("side") = "left",
        nb::arg("sorter") = nb::none(),
        nb::sig("def searchsorted(x1: Elements, x2: Elements, /, side: str = 'left', "
                "sorter: Elements | None = None) -> Array"),
        "The index in x1 before which each value of x2 must be inserted to keep x1 sorted.\n\n"
        "x1: 1-d, in ascending order, NaN last; or `sorter` holds the indices that sort it, as "
        "argsort returns. A number of x2 outside the range of x1's integer dtype is before or "
        "after all elements. At least one of x1 and x2 must be an Array.\n"
        "side: \"left\" before equal elements, \"right\" after them.\n"
        "Shapes: that of x2.\n"
        "Returns: int64, new memory, pending.\n"
        "Waits: for `sorter`.\n"
        "Raises: ValueError for a wrong number of axes or another side, TypeError for complex "
        "numbers and dtypes without a common dtype.\n"
        "Source: Array API 2025.12, searchsorted.");
  m.def(
      "digitize",
      [](nb::handle x, nb::handle bins, Flag right) {
        const Array& near = first_array("digitize", x, bins);
        const OperandBeside elements("digitize: x", x, near);
        return nb::steal(
            wrap(digitize(elements.value(), array_beside("digitize: bins", bins, near), right)));
      },
      nb::arg("x"), nb::arg("bins"), nb::arg("right") = false,
      nb::sig("def digitize(x: Elements, bins: Elements, right: bool = False) -> Array"),
      "The index of the bin of each element: i where bins[i-1] <= x < bins[i], or with right where "
      "bins[i-1] < x <= bins[i]; likewise for descending bins. At least one of the two must be an "
      "Array.\n\n"
      "Returns: int64, new memory, pending.\n"
      "Waits: to check the order of the bins.\n"
      "Raises: ValueError for bins that are not sorted or have several axes, TypeError for complex "
      "numbers.\n"
      "Source: NumPy 2, digitize.");
  m.def(
      "interp",
      [](nb::handle x, nb::handle xp, nb::handle fp, nb::handle left, nb::handle right,
         std::optional<double> period) {
        const Array& near = is_array(fp.ptr()) ? array_of(fp.ptr()) : first_array("interp", xp, x);
        const OperandBeside wanted("interp: x", x, near);
        const Array points = array_beside("interp: xp", xp, near);
        const Array values = array_beside("interp: fp", fp, near);
        std::optional<OperandBeside> before, after;
        const auto value_of = [&](const char* who, nb::handle object, auto& kept) {
          return object.is_none() ? std::nullopt
                                  : std::optional(kept.emplace(who, object, near).value());
        };
        return nb::steal(
            wrap(interp(wanted.value(), points, values, value_of("interp: left", left, before),
                        value_of("interp: right", right, after), period)));
      },
      nb::arg("x"), nb::arg("xp"), nb::arg("fp"), nb::arg("left") = nb::none(),
      nb::arg("right") = nb::none(), nb::arg("period") = nb::none(),
      nb::sig("def interp(x: Elements, xp: Elements, fp: Elements, left: Elements | None = None, "
              "right: Elements | None = None, period: float | None = None) -> Array"),
      "The value at each x of the straight lines between the points (xp[i], fp[i]). At least one "
      "of the three must be an Array.\n\n"
      "xp: the coordinates of the points, in ascending order, which is not checked.\n"
      "fp: their values, which may be complex.\n"
      "left, right: the values before the first point and after the last. Default: fp[0], fp[-1].\n"
      "period: takes coordinates modulo this number; xp may be in any order, and left and right "
      "do not count.\n"
      "Shapes: that of x; xp and fp have one axis.\n"
      "Returns: new memory, pending, in the common dtype, where integers count as the default real "
      "dtype; NaN where x is NaN.\n"
      "Raises: ValueError for other numbers of axes or elements, none, and a period that is 0 or "
      "not finite, TypeError for complex coordinates, structs and dtypes without a common dtype.\n"
      "Source: NumPy 2, interp.");
}

}  // namespace isthmus::python
