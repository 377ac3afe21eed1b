// norms.h: norms, traces and diagonals, and the products that belong to linear algebra.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/arrange/diagonal.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/array.h"
#include "isthmus/array/products/products.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

using isthmus::cross, isthmus::matmul, isthmus::matrix_transpose, isthmus::outer;
using isthmus::tensordot, isthmus::vecdot;

/// Norms of matrices that have a name instead of a number.
enum class MatrixNorm : std::uint8_t {
  frobenius,  ///< The root of the sum of the squares of all elements.
  nuclear     ///< The sum of the singular values.
};

/// Norms over all axes or some: sum(|x|^ord)^(1/ord), of which 0 is the number of elements that are
/// not zero, infinity the largest of |x|, -infinity the smallest. Real; integers are calculated in
/// the default real dtype. Without elements 0. Pending; one kernel, on any device. As in NumPy, 2
/// overflows where the squares do. Throws IndexError or ValueError for axes, ValueError for
/// -infinity without elements, TypeError for structs. Source: Array API 2025.12, vector_norm.
ISTHMUS_EXPORT Array vector_norm(const Array& x, const AxisSet& axes = all_axes,
                                 Flag keepdims = false, double ord = 2);
/// @{
/// Norms of matrices. A number is 1 or -1, the largest or smallest sum of |x| of a column; infinity
/// or -infinity, of a row; 2 or -2, the largest or smallest singular value. Singular values are
/// calculated by svdvals(), during the call; the others are pending. Throws ValueError for fewer
/// than two axes and for other numbers, and as svdvals(). Source: Array API 2025.12, matrix_norm.
ISTHMUS_EXPORT Array matrix_norm(const Array& x, MatrixNorm ord = MatrixNorm::frobenius,
                                 Flag keepdims = false);
ISTHMUS_EXPORT Array matrix_norm(const Array& x, double ord, Flag keepdims = false);
/// @}
/// @{
/// NumPy's function for both: the vector_norm() along one axis, or the matrix_norm() of matrices in
/// two axes. Without `ord` the root of the sum of the squares. Throws ValueError for more axes,
/// unless neither `ord` nor axes are given. Source: NumPy 2, linalg.norm.
ISTHMUS_EXPORT Array norm(const Array& x, std::optional<double> ord = {},
                          const AxisSet& axes = all_axes, Flag keepdims = false);
ISTHMUS_EXPORT Array norm(const Array& x, MatrixNorm ord, const AxisSet& axes = all_axes,
                          Flag keepdims = false);
/// @}
/// @{
/// Condition numbers: matrix_norm(x, ord) * matrix_norm(inv(x), ord), infinity for a singular
/// matrix. 2 and -2 are quotients of singular values. Throws ValueError for matrices without
/// elements, and as matrix_norm() and inv() do. Source: NumPy 2, linalg.cond.
ISTHMUS_EXPORT Array cond(const Array& x, double ord = 2);
ISTHMUS_EXPORT Array cond(const Array& x, MatrixNorm ord);
/// @}

/// The diagonals of matrices, as the last axis: a view, as by isthmus::diagonal(), through which
/// you can write to x. Source: Array API 2025.12, linalg.diagonal.
ISTHMUS_EXPORT Array diagonal(const Array& x, AnyInteger offset = 0);
/// The sums of these diagonals, as returned by sum(). Pending. Source: Array API 2025.12,
/// linalg.trace.
ISTHMUS_EXPORT Array trace(const Array& x, AnyInteger offset = 0, std::optional<DType> dtype = {});

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
