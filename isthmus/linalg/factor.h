// factor.h: factors of matrices.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Linear algebra. Matrices are in the last two axes of an array, and the axes in front of them
/// make a stack. Dtypes: float32, float64, complex64, complex128; integers and bools are converted
/// to the default real dtype of the device.
///
/// Factorizations and solvers are calculated during the call by LAPACK, from the library that
/// multiplies matrices (blas_library()), in new memory on the device of the operand: a stack of
/// small matrices on several threads. The calls wait for the operands. They throw
/// UnsupportedError where the host cannot access the memory, or the library has no LAPACK,
/// TypeError for half precision and structs, ValueError for shapes, and OutOfMemoryError.
namespace linalg {

using isthmus::LinAlgError;

/// The result of qr().
struct QR {
  Array Q;  ///< Orthonormal columns.
  Array R;  ///< Upper triangular.
};
/// Of which columns qr() returns.
enum class QRMode : std::uint8_t {
  reduced,   ///< Q of (m, k) and R of (k, n), where k is the lesser one of m and n.
  complete,  ///< Q of (m, m) and R of (m, n).
  r          ///< R of (k, n) alone; Q is empty.
};
/// The result of svd().
struct SVD {
  Array U;   ///< Orthonormal columns.
  Array S;   ///< Singular values in descending order, real.
  Array Vh;  ///< Orthonormal rows.
};

/// The lower triangular matrix L of which x = L L^H, or with `upper` the upper triangular U of
/// which x = U^H U. x is symmetric or Hermitian: only its lower, or upper, triangle is read. Throws
/// LinAlgError for a matrix that is not positive definite. Source: Array API 2025.12, cholesky.
ISTHMUS_EXPORT Array cholesky(const Array& x, Flag upper = false);
/// x = Q R. Source: Array API 2025.12, qr.
ISTHMUS_EXPORT QR qr(const Array& x, QRMode mode = QRMode::reduced);
/// x = U S Vh, where S is the diagonal. U has the shape (m, m) and Vh (n, n), or without
/// `full_matrices` (m, k) and (k, n), where k is the lesser one of m and n. Throws LinAlgError for
/// NaN and infinities, and if the iteration does not converge. Source: Array API 2025.12, svd.
ISTHMUS_EXPORT SVD svd(const Array& x, Flag full_matrices = true);
/// The singular values alone. Source: Array API 2025.12, svdvals.
ISTHMUS_EXPORT Array svdvals(const Array& x);

}  // namespace linalg
}  // namespace isthmus::inline ISTHMUS_ABI
