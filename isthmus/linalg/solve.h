// solve.h: systems of linear equations, inverses and determinants.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// The result of slogdet().
struct SignLogDet {
  Array sign;       ///< 1, -1 or 0; of complex matrices a number of size 1, or 0.
  Array logabsdet;  ///< The logarithm of the determinant's size: real, -inf for 0.
};
/// The result of lstsq().
struct LeastSquares {
  Array x;          ///< The solutions, as columns or one vector.
  Array residuals;  ///< The sum of |b - a x|^2 of each column; empty unless rank = n < m.
  Array rank;       ///< Of a: int64, without axes.
  Array s;          ///< The singular values of a, in descending order.
};

/// The x of which a x = b. b is a vector if it has one axis, else its last two axes are matrices;
/// the axes in front broadcast. The dtype is the common dtype; halves are accepted beside a wider
/// one. Throws LinAlgError for a matrix that is singular. Source: Array API 2025.12, solve.
ISTHMUS_EXPORT Array solve(const Array& a, const Array& b);
/// Inverses. Throws LinAlgError for a matrix that is singular. Source: Array API 2025.12, inv.
ISTHMUS_EXPORT Array inv(const Array& x);
/// Determinants. The pivots are multiplied without overflow and underflow; the factorization itself
/// may overflow for numbers near the limit of the dtype. Source: Array API 2025.12, det.
ISTHMUS_EXPORT Array det(const Array& x);
/// Signs and logarithms of determinants. Source: Array API 2025.12, slogdet.
ISTHMUS_EXPORT SignLogDet slogdet(const Array& x);

/// The x of least |b - a x|, and of those the one of least |x|; a is one matrix (m, n), and b has
/// m rows, or is a vector of m. The dtype is as that of solve(). Singular values up to `rcond`
/// times the largest count as zero, by default max(m, n) times the eps of the dtype. Throws
/// LinAlgError as svd(). Source: NumPy 2, lstsq.
ISTHMUS_EXPORT LeastSquares lstsq(const Array& a, const Array& b, std::optional<double> rcond = {});
/// @{
/// Moore-Penrose inverses, by svd(). Singular values up to `rtol` times the largest of the matrix
/// count as zero, by default max(m, n) times the eps of the dtype; rtol broadcasts to the stack.
/// Throws as svd(). Source: Array API 2025.12, pinv.
ISTHMUS_EXPORT Array pinv(const Array& x);
ISTHMUS_EXPORT Array pinv(const Array& x, const Value& rtol);
/// @}
/// @{
/// How many singular values are above `rtol` times the largest: int64; as pinv(). Source: Array API
/// 2025.12, matrix_rank.
ISTHMUS_EXPORT Array matrix_rank(const Array& x);
ISTHMUS_EXPORT Array matrix_rank(const Array& x, const Value& rtol);
/// @}

/// x times itself n times: products by matmul(), of inverses for a negative n; identity matrices
/// for 0. Throws as matmul() and inv() do. Source: Array API 2025.12, matrix_power.
ISTHMUS_EXPORT Array matrix_power(const Array& x, AnyInteger n);
/// @{
/// The product of two matrices or more, in the order of the fewest multiplications, by matmul().
/// The first may be a row of one axis, the last a column. Throws ValueError for other shapes, and
/// as matmul(). Source: NumPy 2, multi_dot.
ISTHMUS_EXPORT Array multi_dot(std::span<const Array> arrays);
inline Array multi_dot(std::initializer_list<Array> arrays) {
  return multi_dot(std::span(arrays.begin(), arrays.size()));
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
