// products.h: products of matrices and vectors.
#pragma once

#include <cstdint>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
ISTHMUS_EXPORT Array dot_with(const Array& x, const Value& number);
ISTHMUS_EXPORT Array outer_with(const Array& x, const Value& number, bool is_row);
}  // namespace detail

/// The product of matrices: (..., m, k) and (..., k, n) give (..., m, n), where the leading axes
/// broadcast. An operand with one axis is a row on the left and a column on the right, and the
/// result does not have that axis. The dtype is the common dtype. Half precision is summed in
/// float32 and rounded once, integers wrap around, and bools are combined by "or" of "and". k = 0
/// gives zeros.
///
/// New memory. If the host can access the memory, its BLAS multiplies float32, float64, complex
/// numbers and half precision (see blas_library()), and the library's own blocked code multiplies
/// integers and bools; the call waits for the operands and for the result, and may be interrupted.
/// Otherwise a kernel multiplies tiles in the local memory of the device, and the call does not
/// wait for it. Products with vectors and of small matrices are sums of products: the operands are
/// calculated, and the result is pending. Throws ValueError for shapes that do not match and for
/// operands without axes, PromotionError, DeviceMismatchError, TypeError for structs. Source: Array
/// API 2025.12, matmul.
ISTHMUS_EXPORT Array matmul(const Array& x, const Array& y);

/// Writes matmul(target, y) into the target, and returns it. Throws ValueError if the product has
/// another shape, TypeError if it has a higher dtype family, and what matmul() throws.
ISTHMUS_EXPORT const Array& matmul_in_place(const Array& target, const Array& y);

/// sum(conj(x) * y) along one axis of both, which must have equal lengths; the other axes
/// broadcast. Numbers are calculated as by matmul(). New memory, without the axis; pending. Throws
/// IndexError for a bad axis, ValueError for shapes that do not match, and as matmul(). Source:
/// Array API 2025.12, vecdot.
ISTHMUS_EXPORT Array vecdot(const Array& x, const Array& y, AnyInteger axis = -1);

/// Cross products of vectors of three elements along one axis of both; the other axes broadcast.
/// New memory; pending. Throws IndexError for a bad axis, ValueError for other lengths and for
/// shapes that do not match, PromotionError, DeviceMismatchError, TypeError for bools and structs.
/// Source: Array API 2025.12, linalg.cross.
ISTHMUS_EXPORT Array cross(const Array& x, const Array& y, AnyInteger axis = -1);

/// @{
/// Sums products over axes of x and y, which are paired in this order and must have equal lengths;
/// or over the last `count` axes of x and the first of y, where 0 gives all products. The result
/// has the other axes of x, then those of y. Calculated by matmul(). New memory. Throws IndexError
/// for bad axes, ValueError for shapes that do not match, and as matmul(). Source: Array API
/// 2025.12, tensordot.
ISTHMUS_EXPORT Array tensordot(const Array& x, const Array& y, AnyInteger count = 2);
ISTHMUS_EXPORT Array tensordot(const Array& x, const Array& y, const Axes& axes_of_x,
                               const Axes& axes_of_y);
/// @}

/// All products of an element of x and one of y, both in row-major order, in the shape (x.size(),
/// y.size()). New memory; pending. Throws PromotionError, DeviceMismatchError, TypeError for
/// structs. Source: NumPy 2, outer.
ISTHMUS_EXPORT Array outer(const Array& x, const Array& y);

/// The product as in NumPy: x * y if an operand has no axes, matmul() for vectors and matrices,
/// otherwise the sum of products over the last axis of x and the second-to-last axis of y, or its
/// only one. Throws as matmul(). Source: NumPy 2, dot.
ISTHMUS_EXPORT Array dot(const Array& x, const Array& y);

/// @{
/// The product of an array and a weak number, which takes the dtype of the array: x * number; for
/// outer() with an axis of one element for the number. Throws TypeError for structs.
template <Number T>
Array dot(const Array& x, T number) {
  return detail::dot_with(x, number);
}
template <Number Given>
Array Array::dot(Given number) const {
  return detail::dot_with(*this, number);
}
template <Number T>
Array dot(T number, const Array& y) {
  return detail::dot_with(y, number);
}
template <Number T>
Array outer(const Array& x, T number) {
  return detail::outer_with(x, number, false);
}
template <Number T>
Array outer(T number, const Array& y) {
  return detail::outer_with(y, number, true);
}
/// @}

/// The sum of conj(x) * y over all elements in row-major order; both must have the same size. New
/// memory, without axes; pending. Throws ValueError for other sizes, and as matmul(). Source: NumPy
/// 2, vdot.
ISTHMUS_EXPORT Array vdot(const Array& x, const Array& y);

}  // namespace isthmus::inline ISTHMUS_ABI
