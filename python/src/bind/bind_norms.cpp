// bind_norms.cpp: norms, traces and diagonals, in the module _linalg.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "isthmus/linalg/norms.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/define_both.h"
#include "python/src/bind/linalg_arguments.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

constexpr const char* of_singular_values =
    "Returns: real, new memory; pending, but for those of singular values, which LAPACK calculates "
    "on the host during the call.\n"
    "Waits: for singular values, as svdvals().\n";

Array norm_of(const Array& x, nb::handle ord, nb::handle axis, Flag keepdims) {
  const AxisSet axes = axis_set("norm", axis);
  if (ord.is_none()) return linalg::norm(x, std::nullopt, axes, keepdims);
  const auto order = order_of("norm: ord", ord);
  return std::visit([&](auto known) { return linalg::norm(x, known, axes, keepdims); }, order);
}

void define_matrix_norms(nb::module_& m) {
  m.def(
      "matrix_norm",
      [](nb::handle given, Flag keepdims, nb::handle ord) {
        const Array& x = require_array("matrix_norm", given.ptr());
        if (ord.is_none())
          return nb::steal(wrap(linalg::matrix_norm(x, linalg::MatrixNorm::frobenius, keepdims)));
        const auto order = order_of("matrix_norm: ord", ord);
        return nb::steal(wrap(std::visit(
            [&](auto known) { return linalg::matrix_norm(x, known, keepdims); }, order)));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("keepdims") = false, nb::arg("ord").none() = "fro",
      nb::sig("def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Real | str | None = "
              "'fro') -> Array"),
      detail::format("Norms of matrices.\n\n"
                     "ord: 'fro' for the root of the sum of squares, 'nuc' for the sum of the "
                     "singular values; 1 or -1 for the largest or smallest sum of |x| of a column, "
                     "inf or -inf of a row; 2 or -2 for the largest or smallest singular value.\n"
                     "Shapes: (..., m, n) gives (...), or with keepdims (..., 1, 1).\n"
                     "{}Raises: ValueError for another ord and for fewer than two axes, and as "
                     "svdvals().\n"
                     "Source: Array API 2025.12, linalg.matrix_norm.",
                     of_singular_values)
          .c_str());
  m.def(
      "norm",
      [](nb::handle x, nb::handle ord, nb::handle axis, Flag keepdims) {
        return nb::steal(wrap(norm_of(require_array("norm", x.ptr()), ord, axis, keepdims)));
      },
      nb::arg("x"), nb::arg("ord") = nb::none(), nb::arg("axis") = nb::none(),
      nb::arg("keepdims") = false,
      nb::sig("def norm(x: Array, /, ord: Real | str | None = None, axis: Axes | None = None, "
              "keepdims: bool = False) -> Array"),
      detail::format(
          "NumPy's function for vector_norm() along one axis and matrix_norm() in two.\n"
          "\n"
          "ord: as there; None for the root of the sum of squares.\n"
          "axis: None for all axes, of which there may be more than two if ord is None.\n"
          "{}Raises: ValueError for another ord and for more than two axes, and as "
          "svdvals().\n"
          "Source: NumPy 2, linalg.norm.",
          of_singular_values)
          .c_str());
  m.def(
      "cond",
      [](nb::handle given, nb::handle p) {
        const Array& x = require_array("cond", given.ptr());
        if (p.is_none()) return nb::steal(wrap(linalg::cond(x)));
        const auto order = order_of("cond: p", p);
        return nb::steal(
            wrap(std::visit([&](auto known) { return linalg::cond(x, known); }, order)));
      },
      nb::arg("x"), nb::arg("p") = nb::none(),
      nb::sig("def cond(x: Array, /, p: Real | str | None = None) -> Array"),
      detail::format(
          "Condition numbers of matrices: matrix_norm(x, ord=p) * matrix_norm(inv(x), "
          "ord=p).\n\n"
          "p: as ord of matrix_norm(); None is 2. Singular matrices have infinity; 2 and -2 are "
          "quotients of singular values.\n"
          "Shapes: (..., m, n) gives (...); m and n are equal unless p is 2 or -2.\n"
          "{}Raises: {}; as svdvals().\n"
          "Source: NumPy 2, linalg.cond.",
          by_lapack, refused)
          .c_str());
}

}  // namespace

void bind_norms(nb::module_& m) {
  nb::module_ linalg = linalg_of(m);
  define_matrix_norms(linalg);
  linalg.def(
      "vector_norm",
      [](nb::handle x, nb::handle axis, Flag keepdims, nb::handle ord) {
        const Array& array = require_array("vector_norm", x.ptr());
        const AxisSet axes = axis_set("vector_norm", axis);
        return nb::steal(
            wrap(linalg::vector_norm(array, axes, keepdims, real_of("vector_norm: ord", ord))));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("keepdims") = false,
      nb::arg("ord") = 2,
      nb::sig("def vector_norm(x: Array, /, *, axis: Axes | None = None, keepdims: bool = False, "
              "ord: Real = 2) -> Array"),
      "Norms over all axes or some: sum(|x| ** ord) ** (1 / ord).\n\n"
      "ord: any real number; 0 for the number of elements that are not zero, inf for the largest "
      "|x|, -inf for the smallest. As in NumPy, 2 overflows where the squares do.\n"
      "Returns: real, new memory; pending; one kernel, on any device. Without elements 0.\n"
      "Waits: no, unless others may change the memory of x.\n"
      "Raises: IndexError for an axis outside the array, ValueError for -inf without elements, "
      "TypeError for structs.\n"
      "Source: Array API 2025.12, linalg.vector_norm.");
  linalg.def(
      "diagonal",
      [](nb::handle x, std::int64_t offset) {
        return nb::steal(wrap(linalg::diagonal(require_array("diagonal", x.ptr()), offset)));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("offset") = 0,
      nb::sig("def diagonal(x: Array, /, *, offset: int = 0) -> Array"),
      "The diagonals of matrices, as the last axis.\n\n"
      "offset: the column in which they begin; negative for the row.\n"
      "Returns: a view; unlike in NumPy, writing to it writes to x.\n"
      "Raises: ValueError for fewer than two axes.\n"
      "Source: Array API 2025.12, linalg.diagonal.");
  linalg.def(
      "trace",
      [](nb::handle x, std::int64_t offset, nb::handle dtype) {
        return nb::steal(
            wrap(linalg::trace(require_array("trace", x.ptr()), offset, optional_dtype(dtype))));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("offset") = 0, nb::arg("dtype") = nb::none(),
      nb::sig("def trace(x: Array, /, *, offset: int = 0, dtype: object | None = None) -> "
              "Array"),
      "The sums of the diagonals of matrices.\n\n"
      "offset: the column in which they begin; negative for the row.\n"
      "dtype: the dtype of the result, by default as that of sum().\n"
      "Shapes: (..., m, n) gives (...).\n"
      "Returns: new memory; pending.\n"
      "Raises: ValueError for fewer than two axes, TypeError for dtypes, as sum().\n"
      "Source: Array API 2025.12, linalg.trace.");
}

}  // namespace isthmus::python
