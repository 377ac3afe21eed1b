// bind_linalg.cpp: factorizations and solvers, in the module _linalg.
#include <nanobind/stl/string.h>

#include "isthmus/linalg/eigen.h"
#include "isthmus/linalg/factor.h"
#include "isthmus/linalg/singular_values.h"
#include "isthmus/linalg/solve.h"
#include "python/src/bind/bind.h"
#include "python/src/bind/linalg_arguments.h"
#include "python/src/object/array_list.h"
#include "python/src/object/beside.h"
#include "python/src/object/flag.h"

namespace isthmus::python {

namespace {

using detail::format;

/// `summary` may have more lines, of the arguments; `raises` what is raised besides.
std::string doc_of(const std::string& summary, const char* raises, const char* name,
                   bool is_of_numpy = false) {
  return format("{}\n{}{}Raises: {}{}{}.\nSource: {}{}.", summary, linalg_note, by_lapack, raises,
                *raises ? ", " : "", refused,
                is_of_numpy ? "NumPy 2, linalg." : "Array API 2025.12, linalg.", name);
}

template <Array (*calculate)(const Array&)>
void define_plain(nb::module_& m, const char* name, const std::string& doc) {
  m.def(
      name,
      [name](nb::handle x) { return nb::steal(wrap(calculate(require_array(name, x.ptr())))); },
      nb::arg("x"), nb::sig(format("def {}(x: Array, /) -> Array", name).c_str()), doc.c_str());
}

linalg::Triangle triangle_of(const char* who, const std::string& name) {
  if (name == "L" || name == "l") return linalg::Triangle::lower;
  check(name == "U" || name == "u", Errc::value, "{}: UPLO: '{}' is none of 'L', 'U'", who, name);
  return linalg::Triangle::upper;
}

void define_solvers(nb::module_& m) {
  m.def(
      "solve",
      [](nb::handle a, nb::handle b) {
        return nb::steal(
            wrap(linalg::solve(require_array("solve", a.ptr()), require_array("solve", b.ptr()))));
      },
      nb::arg("x1"), nb::arg("x2"), nb::sig("def solve(x1: Array, x2: Array, /) -> Array"),
      doc_of("The x of which x1 @ x = x2.\n\n"
             "Shapes: (..., m, m) and (m,), or (..., m, k), give (..., m) or (..., m, k); leading "
             "axes broadcast.\n"
             "dtype: the common one of both; halves are accepted beside a wider dtype.",
             "LinAlgError for a singular matrix", "solve")
          .c_str());
  define_plain<linalg::inv>(
      m, "inv", doc_of("Inverses of matrices.\n", "LinAlgError for a singular matrix", "inv"));
  define_plain<linalg::det>(
      m, "det",
      doc_of("Determinants. The pivots are multiplied without overflow and underflow; the "
             "factorization itself may overflow for numbers near the limit of the dtype.\n\n"
             "Shapes: (..., m, m) gives (...).",
             "", "det"));
  m.def(
      "slogdet",
      [](nb::handle x) {
        const linalg::SignLogDet made = linalg::slogdet(require_array("slogdet", x.ptr()));
        return named_tuple("SlogdetResult", made.sign, made.logabsdet);
      },
      nb::arg("x"), nb::sig("def slogdet(x: Array, /) -> isthmus._results.SlogdetResult"),
      doc_of("Signs of determinants, and logarithms of their sizes: (sign, logabsdet).\n\n"
             "A determinant of 0 has the sign 0 and the logarithm -inf.\n"
             "Shapes: (..., m, m) gives (...).",
             "", "slogdet")
          .c_str());
  m.def(
      "matrix_power",
      [](nb::handle x, std::int64_t n) {
        return nb::steal(wrap(linalg::matrix_power(require_array("matrix_power", x.ptr()), n)));
      },
      nb::arg("x"), nb::arg("n"), nb::sig("def matrix_power(x: Array, n: int, /) -> Array"),
      "Matrices times themselves n times: products by matmul(), of inverses for a negative n; "
      "identity matrices for 0.\n\n"
      "Returns: new memory.\n"
      "Waits: as matmul() and inv().\n"
      "Raises: as these.\n"
      "Source: Array API 2025.12, linalg.matrix_power.");
  m.def(
      "multi_dot",
      [](nb::handle arrays) {
        return nb::steal(wrap(linalg::multi_dot(arrays_of("multi_dot", arrays))));
      },
      nb::arg("arrays"),
      nb::sig("def multi_dot(arrays: collections.abc.Sequence[Array], /) -> Array"),
      "The product of two matrices or more, in the order of the fewest multiplications.\n\n"
      "Shapes: the first may be a row of one axis, the last a column.\n"
      "Returns: new memory, by matmul().\n"
      "Waits: as matmul().\n"
      "Raises: ValueError for shapes that do not fit, and as matmul().\n"
      "Source: NumPy 2, linalg.multi_dot.");
}

void define_factors(nb::module_& m) {
  m.def(
      "cholesky",
      [](nb::handle x, Flag upper) {
        return nb::steal(wrap(linalg::cholesky(require_array("cholesky", x.ptr()), upper)));
      },
      nb::arg("x"), nb::kw_only(), nb::arg("upper") = false,
      nb::sig("def cholesky(x: Array, /, *, upper: bool = False) -> Array"),
      doc_of("The lower triangular L of which x = L @ conj(L.mT), or the upper triangular U of "
             "which x = conj(U.mT) @ U.\n\n"
             "upper: whether to return U. Only that triangle of x is read.",
             "LinAlgError for a matrix that is not positive definite", "cholesky")
          .c_str());
  m.def(
      "qr",
      [](nb::handle given, const std::string& mode) {
        using Mode = linalg::QRMode;
        const Array& x = require_array("qr", given.ptr());
        check(mode == "reduced" || mode == "complete" || mode == "r", Errc::value,
              "qr: mode: '{}' is none of 'reduced', 'complete', 'r'", mode);
        if (mode == "r") return nb::steal(wrap(linalg::qr(x, Mode::r).R));
        const linalg::QR made = linalg::qr(x, mode == "complete" ? Mode::complete : Mode::reduced);
        return named_tuple("QRResult", made.Q, made.R);
      },
      nb::arg("x"), nb::arg("mode") = "reduced",
      nb::sig("def qr(x: Array, /, mode: str = 'reduced') -> isthmus._results.QRResult | Array"),
      doc_of("Orthonormal columns Q and an upper triangular R of which x = Q @ R: (Q, R).\n\n"
             "mode: 'reduced' for Q of (..., m, k) and R of (..., k, n), where k is the lesser one "
             "of m and n; 'complete' for (..., m, m) and (..., m, n); 'r' for R alone.",
             "", "qr")
          .c_str());
  m.def(
      "svd",
      [](nb::handle given, Flag full_matrices, Flag compute_uv) {
        const Array& x = require_array("svd", given.ptr());
        if (!compute_uv) return nb::steal(wrap(linalg::svdvals(x)));
        const linalg::SVD made = linalg::svd(x, full_matrices);
        return named_tuple("SVDResult", made.U, made.S, made.Vh);
      },
      nb::arg("x"), nb::arg("full_matrices") = true, nb::arg("compute_uv") = true,
      nb::sig("def svd(x: Array, /, full_matrices: bool = True, compute_uv: bool = True) -> "
              "isthmus._results.SVDResult | Array"),
      doc_of("Singular values, in descending order, and vectors: (U, S, Vh), of which "
             "x = U[..., :k] * S[..., None, :] @ Vh[..., :k, :].\n\n"
             "full_matrices: whether U is (..., m, m) and Vh (..., n, n), or (..., m, k) and "
             "(..., k, n), where k is the lesser one of m and n.\n"
             "compute_uv: if False, S is returned alone, as by svdvals().",
             "LinAlgError for NaN and infinities, and if the iteration does not converge", "svd")
          .c_str());
  define_plain<linalg::svdvals>(
      m, "svdvals",
      doc_of("Singular values, in descending order.\n\n"
             "Shapes: (..., m, n) gives (..., min(m, n)).",
             "LinAlgError for NaN and infinities, and if the iteration does not converge",
             "svdvals"));
}

void define_eigen(nb::module_& m) {
  constexpr const char* failing =
      "LinAlgError for NaN and infinities, and if the iteration does not converge";
  m.def(
      "eigh",
      [](nb::handle x, const std::string& triangle) {
        const linalg::Eigen made =
            linalg::eigh(require_array("eigh", x.ptr()), triangle_of("eigh", triangle));
        return named_tuple("EighResult", made.eigenvalues, made.eigenvectors);
      },
      nb::arg("x"), nb::arg("UPLO") = "L",
      nb::sig("def eigh(x: Array, /, UPLO: str = 'L') -> isthmus._results.EighResult"),
      doc_of("Real eigenvalues, in ascending order, and orthonormal eigenvectors of symmetric or "
             "Hermitian matrices: (eigenvalues, eigenvectors).\n\n"
             "UPLO: which triangle is read, 'L' for the lower or 'U' for the upper one.\n"
             "Shapes: (..., m) and (..., m, m), of which the columns are the vectors.",
             failing, "eigh")
          .c_str());
  m.def(
      "eigvalsh",
      [](nb::handle x, const std::string& triangle) {
        return nb::steal(wrap(linalg::eigvalsh(require_array("eigvalsh", x.ptr()),
                                               triangle_of("eigvalsh", triangle))));
      },
      nb::arg("x"), nb::arg("UPLO") = "L",
      nb::sig("def eigvalsh(x: Array, /, UPLO: str = 'L') -> Array"),
      doc_of("Real eigenvalues of symmetric or Hermitian matrices, in ascending order.\n\n"
             "UPLO: which triangle is read, 'L' for the lower or 'U' for the upper one.\n"
             "Shapes: (..., m, m) gives (..., m).",
             failing, "eigvalsh")
          .c_str());
  m.def(
      "eig",
      [](nb::handle x) {
        const linalg::Eigen made = linalg::eig(require_array("eig", x.ptr()));
        return named_tuple("EigResult", made.eigenvalues, made.eigenvectors);
      },
      nb::arg("x"), nb::sig("def eig(x: Array, /) -> isthmus._results.EigResult"),
      doc_of("Complex eigenvalues and eigenvectors of square matrices, in no order: (eigenvalues, "
             "eigenvectors).\n\n"
             "Shapes: (..., m) and (..., m, m), of which the columns are the vectors, of length 1.",
             failing, "eig")
          .c_str());
  define_plain<linalg::eigvals>(m, "eigvals",
                                doc_of("Complex eigenvalues of square matrices, in no order.\n\n"
                                       "Shapes: (..., m, m) gives (..., m).",
                                       failing, "eigvals"));
}

void check_not_both(const char* who, nb::handle rtol, const char* other_name, nb::handle other) {
  check(rtol.is_none() || other.is_none(), Errc::value, "{}: give rtol or {}, not both", who,
        other_name);
}

void define_least_squares(nb::module_& m) {
  constexpr const char* failing =
      "LinAlgError for NaN and infinities, and if the iteration does not converge";
  m.def(
      "matrix_rank",
      [](nb::handle given, nb::handle tol, nb::handle rtol) {
        const Array& x = require_array("matrix_rank", given.ptr());
        check_not_both("matrix_rank", rtol, "tol", tol);
        const bool is_absolute = !tol.is_none();
        const nb::handle limit = is_absolute ? tol : rtol;
        if (limit.is_none()) return nb::steal(wrap(linalg::matrix_rank(x)));
        const OperandBeside least(is_absolute ? "matrix_rank: tol" : "matrix_rank: rtol", limit, x);
        return nb::steal(
            wrap(linalg::rank_above(is_absolute ? "tol" : "rtol", x, least.value(), is_absolute)));
      },
      nb::arg("x"), nb::arg("tol") = nb::none(), nb::kw_only(), nb::arg("rtol") = nb::none(),
      nb::sig(
          "def matrix_rank(x: Array, /, tol: Elements | None = None, *, rtol: Elements | None = "
          "None) -> Array"),
      doc_of("How many singular values are above a limit: int64.\n\n"
             "tol: the limit.\n"
             "rtol: the limit in units of the largest singular value of the matrix; by default "
             "max(m, n) times the eps of the dtype. Both broadcast to the stack.\n"
             "Shapes: (..., m, n) gives (...).",
             failing, "matrix_rank")
          .c_str());
  m.def(
      "pinv",
      [](nb::handle given, nb::handle rcond, nb::handle rtol) {
        const Array& x = require_array("pinv", given.ptr());
        check_not_both("pinv", rtol, "rcond", rcond);
        const bool is_rtol = rcond.is_none();
        const nb::handle limit = is_rtol ? rtol : rcond;
        if (limit.is_none()) return nb::steal(wrap(linalg::pinv(x)));
        const OperandBeside least(is_rtol ? "pinv: rtol" : "pinv: rcond", limit, x);
        return nb::steal(wrap(linalg::pinv_above(is_rtol ? "rtol" : "rcond", x, least.value())));
      },
      nb::arg("x"), nb::arg("rcond") = nb::none(), nb::kw_only(), nb::arg("rtol") = nb::none(),
      nb::sig("def pinv(x: Array, /, rcond: Elements | None = None, *, rtol: Elements | None = "
              "None) -> Array"),
      doc_of("Moore-Penrose inverses.\n\n"
             "rtol: singular values up to so many times the largest of the matrix count as zero; "
             "by default max(m, n) times the eps of the dtype. It broadcasts to the stack. rcond "
             "is NumPy's name for it.\n"
             "Shapes: (..., m, n) gives (..., n, m).",
             failing, "pinv")
          .c_str());
  m.def(
      "lstsq",
      [](nb::handle a, nb::handle b, nb::handle rcond) {
        const Array &left = require_array("lstsq", a.ptr()),
                    &right = require_array("lstsq", b.ptr());
        const auto least =
            rcond.is_none() ? std::nullopt : std::optional(real_of("lstsq: rcond", rcond));
        const linalg::LeastSquares made = linalg::lstsq(left, right, least);
        return named_tuple("LstsqResult", made.x, made.residuals, made.rank, made.s);
      },
      nb::arg("x1"), nb::arg("x2"), nb::arg("rcond") = nb::none(),
      nb::sig("def lstsq(x1: Array, x2: Array, /, rcond: Real | None = None) -> "
              "isthmus._results.LstsqResult"),
      doc_of("The x of least |x2 - x1 @ x|, and of those the one of least |x|: (x, residuals, "
             "rank, s).\n\n"
             "rcond: singular values up to so many times the largest count as zero; by default "
             "max(m, n) times the eps of the dtype.\n"
             "Shapes: (m, n) and (m,), or (m, k), give x of (n,) or (n, k). residuals are the sums "
             "of squares of each column, and empty unless rank = n < m. rank is 0-d.\n"
             "dtype: the common one of both; halves are accepted beside a wider dtype.",
             failing, "lstsq", true)
          .c_str());
}

}  // namespace

void bind_linalg(nb::module_& m) {
  nb::module_ linalg = linalg_of(m);
  for (const char* name : {"cross", "matmul", "matrix_transpose", "outer", "tensordot", "vecdot"})
    linalg.attr(name) = m.attr(name);
  define_solvers(linalg);
  define_factors(linalg);
  define_eigen(linalg);
  define_least_squares(linalg);
}

}  // namespace isthmus::python
