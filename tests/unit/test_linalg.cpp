// test_linalg.cpp: linear algebra in C++; tests/device compares it with NumPy.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/types.h"
#include "isthmus/linalg/eigen.h"
#include "isthmus/linalg/factor.h"
#include "isthmus/linalg/norms.h"
#include "isthmus/linalg/solve.h"
#include "isthmus/runtime/settings.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using linalg::Eigen, linalg::LinAlgError, linalg::MatrixNorm, linalg::QRMode, linalg::Triangle;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Skips where there is no library.
class Linalg : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      linalg::inv(eye(2));
    } catch (const UnsupportedError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

/// How far apart they are, at most.
double distance(const Array& x, const Array& y) {
  EXPECT_EQ(x.shape(), y.shape());
  return max(abs(x - y)).item<double>();
}

Array square() { return Array({{4., 1.}, {2., 3.}}); }
Array symmetric() { return Array({{2., 1.}, {1., 3.}}); }
Array tall() { return Array({{1., 2.}, {3., 4.}, {5., 7.}}); }

TEST_F(Linalg, solves_and_inverts) {
  const Array x = square(), b({1., 2.});
  EXPECT_LT(distance(matmul(x, linalg::solve(x, b)), b), 1e-14);
  EXPECT_LT(distance(matmul(x, linalg::solve(x, x.T())), x.T()), 1e-14);
  EXPECT_LT(distance(matmul(x, linalg::inv(x)), eye(2)), 1e-14);
  EXPECT_NEAR(linalg::det(x).item<double>(), 10, 1e-13);
  const linalg::SignLogDet found = linalg::slogdet(-x[{slice({}, {}, -1)}]);
  EXPECT_EQ(found.sign.item<double>(), -1);
  EXPECT_NEAR(found.logabsdet.item<double>(), std::log(10.), 1e-14);
  const Array stack = broadcast_to(x, {2, 2, 2});
  EXPECT_EQ(linalg::solve(stack, b).shape(), (Dims{2, 2}));
  EXPECT_LT(distance(linalg::matrix_power(x, -2), linalg::inv(matmul(x, x))), 1e-14);
  EXPECT_LT(distance(linalg::multi_dot({x, x, b}), matmul(x, matmul(x, b))), 1e-13);
}

TEST_F(Linalg, factors) {
  const Array x = tall();
  const linalg::QR reduced = linalg::qr(x), complete = linalg::qr(x, QRMode::complete);
  EXPECT_LT(distance(matmul(reduced.Q, reduced.R), x), 1e-14);
  EXPECT_EQ(complete.Q.shape(), (Dims{3, 3}));
  EXPECT_FALSE(linalg::qr(x, QRMode::r).Q.has_value());
  const linalg::SVD all = linalg::svd(x, false);
  EXPECT_LT(distance(matmul(all.U * all.S, all.Vh), x), 1e-14);
  EXPECT_LT(distance(linalg::svdvals(x), all.S), 1e-14);
  EXPECT_EQ(linalg::svd(x).U.shape(), (Dims{3, 3}));
  const Array lower = linalg::cholesky(symmetric()), upper = linalg::cholesky(symmetric(), true);
  EXPECT_LT(distance(matmul(lower, lower.T()), symmetric()), 1e-15);
  EXPECT_LT(distance(lower.T(), upper), 1e-15);
  EXPECT_EQ(linalg::matrix_rank(x).item<int>(), 2);
  EXPECT_EQ(linalg::matrix_rank(x, 0.9).item<int>(), 1);
  EXPECT_LT(distance(matmul(linalg::pinv(x), x), eye(2)), 1e-13);
  EXPECT_LT(distance(linalg::pinv(x, Array(1e-9)), linalg::pinv(x)), 1e-13);
  const linalg::LeastSquares least = linalg::lstsq(x, Array({1., 2., 3.}));
  EXPECT_LT(distance(least.x, matmul(linalg::pinv(x), Array({1., 2., 3.}))), 1e-13);
  EXPECT_EQ(least.rank.item<int>(), 2);
}

TEST_F(Linalg, has_eigenvalues) {
  const Eigen real = linalg::eigh(symmetric());
  EXPECT_LT(distance(matmul(symmetric(), real.eigenvectors), real.eigenvectors * real.eigenvalues),
            1e-14);
  EXPECT_LT(distance(linalg::eigvalsh(symmetric(), Triangle::upper), real.eigenvalues), 1e-14);
  const Array rotation({{0., -1.}, {1., 0.}});
  const Eigen made = linalg::eig(rotation);
  EXPECT_EQ(made.eigenvalues.dtype(), DType(TypeId::complex128));
  EXPECT_LT(distance(matmul(rotation, made.eigenvectors), made.eigenvectors * made.eigenvalues),
            1e-14);
  EXPECT_NEAR(max(imag(linalg::eigvals(rotation))).item<double>(), 1, 1e-14);
}

TEST_F(Linalg, measures) {
  const Array x = square();
  EXPECT_NEAR(linalg::vector_norm(x).item<double>(), std::sqrt(30.), 1e-14);
  EXPECT_EQ(linalg::vector_norm(x, 0, false, infinity).to_vector<double>(),
            (std::vector<double>{4, 3}));
  EXPECT_EQ(linalg::matrix_norm(x, 1).item<double>(), 6);
  EXPECT_EQ(linalg::matrix_norm(x, infinity, true).shape(), (Dims{1, 1}));
  EXPECT_NEAR(linalg::matrix_norm(x, MatrixNorm::nuclear).item<double>(),
              sum(linalg::svdvals(x)).item<double>(), 1e-14);
  EXPECT_NEAR(linalg::norm(x, 2).item<double>(), max(linalg::svdvals(x)).item<double>(), 1e-14);
  EXPECT_EQ(linalg::norm(x, 1, 1).to_vector<double>(), (std::vector<double>{5, 5}));
  EXPECT_NEAR(linalg::cond(x, MatrixNorm::frobenius).item<double>(), 3, 1e-14);
  EXPECT_EQ(linalg::cond(ones({2, 2}), MatrixNorm::nuclear).item<double>(), infinity);
  EXPECT_EQ(linalg::cond(zeros({2, 3})).item<double>(), infinity);
  EXPECT_THROW(linalg::cond(zeros({0, 0}), 1), ValueError);
  EXPECT_EQ(linalg::matrix_norm(zeros({0, 3}), -1).item<double>(), 0);
  EXPECT_EQ(linalg::trace(x).item<double>(), 7);
  EXPECT_EQ(linalg::diagonal(x).to_vector<double>(), (std::vector<double>{4, 3}));
  EXPECT_EQ(cross(Array({1, 0, 0}), Array({0, 1, 0})).to_vector<int>(),
            (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(linalg::vecdot(x, x).to_vector<double>(), (std::vector<double>{17, 13}));
}

TEST_F(Linalg, names_what_has_no_solution) {
  const auto text = [](auto f) { return error_of(Errc::linalg, f); };
  EXPECT_EQ(text([] { linalg::inv(zeros({2, 2})); }), "inv: the matrix is singular");
  EXPECT_EQ(text([] { linalg::inv(zeros({2, 1, 2, 2})); }),
            "inv: matrix (0, 0) of the stack is singular");
  EXPECT_EQ(text([] { linalg::cholesky(-eye(2)); }),
            "cholesky: the matrix is not positive definite");
  EXPECT_EQ(text([] { linalg::svd(full({2, 2}, nan)); }), "svd: the matrix has NaN or infinity");
  EXPECT_THROW(linalg::inv(zeros({2, 2})), LinAlgError);
  EXPECT_THROW(linalg::inv(zeros({2, 2})), ValueError);
  EXPECT_THROW(linalg::inv(zeros({2, 3})), ValueError);
  EXPECT_THROW(linalg::det(zeros({2, 2}, TypeId::float16)), TypeError);
  EXPECT_THROW(linalg::matrix_norm(eye(2), 3), ValueError);
  EXPECT_EQ(text([] { linalg::matrix_power(zeros({2, 2}), -1); }),
            "matrix_power: the matrix is singular");
  EXPECT_EQ(text([] { linalg::lstsq(eye(2), Array({1., nan})); }),
            "lstsq: the second array has NaN or infinity");
  EXPECT_EQ(error_of(Errc::type, [] { linalg::pinv(eye(2), std::complex<double>(0, 1)); }),
            "pinv: rtol: does not accept complex128; real numbers are needed");
  EXPECT_EQ(error_of(Errc::value, [] { linalg::matrix_rank(ones({3, 2, 2}), ones({4})); }),
            "matrix_rank: rtol and the stack: shapes (3,) and (4,) cannot be broadcast together: "
            "axis -1 has 3 and 4");
  const std::string before = blas_setting();
  set_blas("builtin");
  EXPECT_THROW(linalg::inv(eye(2)), UnsupportedError);
  set_blas(before);
}

}  // namespace
}  // namespace isthmus
