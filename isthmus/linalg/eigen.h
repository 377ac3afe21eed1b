// eigen.h: eigenvalues and eigenvectors.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// The result of eig() and eigh().
struct Eigen {
  Array eigenvalues;   ///< In the last axis.
  Array eigenvectors;  ///< The columns of matrices, in the order of the values.
};
/// Which triangle of a symmetric or Hermitian matrix is read.
enum class Triangle : std::uint8_t { lower, upper };

/// @{
/// Real eigenvalues, in ascending order, and orthonormal eigenvectors of symmetric or Hermitian
/// matrices, of which one triangle is read; or the values alone. Throws LinAlgError for NaN and
/// infinities, and if the iteration does not converge. Source: Array API 2025.12, eigh and
/// eigvalsh.
ISTHMUS_EXPORT Eigen eigh(const Array& x, Triangle triangle = Triangle::lower);
ISTHMUS_EXPORT Array eigvalsh(const Array& x, Triangle triangle = Triangle::lower);
/// @}
/// @{
/// Eigenvalues and eigenvectors of length 1 of any square matrices, in no order; or the values
/// alone. They are complex, also if all imaginary parts are 0. Throws LinAlgError for NaN and
/// infinities, and if the iteration does not converge. Source: Array API 2025.12, eig and eigvals.
ISTHMUS_EXPORT Eigen eig(const Array& x);
ISTHMUS_EXPORT Array eigvals(const Array& x);
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
