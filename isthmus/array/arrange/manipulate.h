// manipulate.h: views by shape, and joining.
#pragma once

#include "isthmus/array/create/create.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A view with another shape, one extent of which may be -1; a copy if the strides do not allow a
/// view or `copy` is true. Throws ValueError if sizes differ, CopyRefusedError if `copy` is false
/// and a copy is needed.
ISTHMUS_EXPORT Array reshape(const Array& x, const Shape& shape, std::optional<Flag> copy = {});
/// A view with the axes in this order. Axes may be negative, here and below; throws IndexError for
/// bad axes and ValueError for repeated ones.
ISTHMUS_EXPORT Array permute_dims(const Array& x, const Axes& axes);
ISTHMUS_EXPORT Array broadcast_to(const Array& x, const Shape& shape);  ///< A view, read-only.
/// A view with new axes of length 1 at these positions of the result.
ISTHMUS_EXPORT Array expand_dims(const Array& x, const Axes& axes);
ISTHMUS_EXPORT Array transpose(const Array& x);  ///< A view: the axes in reverse order.
/// Same as permute_dims(), the name in the Array API.
inline Array transpose(const Array& x, const Axes& axes) { return permute_dims(x, axes); }
/// A view with one or more axes moved to other positions; the other axes keep their order. Throws
/// ValueError if axes are repeated or differ in number, IndexError for axes out of range.
ISTHMUS_EXPORT Array moveaxis(const Array& x, const Axes& source, const Axes& destination);
/// The last two axes swapped. Throws ValueError for fewer axes.
ISTHMUS_EXPORT Array matrix_transpose(const Array& x);
/// Views without an axis, one for each index along it. Throws IndexError for a bad axis, ValueError
/// for an array without axes.
ISTHMUS_EXPORT std::vector<Array> unstack(const Array& x, AnyInteger axis = 0);
/// @{
/// The shape that all shapes broadcast to. Throws ValueError, with the axis, if they do not
/// broadcast.
ISTHMUS_EXPORT Shape broadcast_shapes(std::span<const Shape> shapes);
inline Shape broadcast_shapes(std::initializer_list<Shape> shapes) {
  return broadcast_shapes(std::span(shapes.begin(), shapes.size()));
}
/// @}
/// @{
/// Views of the arrays, broadcast to their common shape: read-only, but for arrays that have this
/// shape already. Throws ValueError if there is none.
ISTHMUS_EXPORT std::vector<Array> broadcast_arrays(std::span<const Array> arrays);
inline std::vector<Array> broadcast_arrays(std::initializer_list<Array> arrays) {
  return broadcast_arrays(std::span(arrays.begin(), arrays.size()));
}
/// @}
/// A view with two axes exchanged.
ISTHMUS_EXPORT Array swapaxes(const Array& x, AnyInteger first, AnyInteger second);
/// A view without all axes of length 1, or without these axes; throws ValueError if one of them is
/// longer.
ISTHMUS_EXPORT Array squeeze(const Array& x, const AxisSet& axes = all_axes);
/// A view with these axes reversed.
ISTHMUS_EXPORT Array flip(const Array& x, const AxisSet& axes = all_axes);
/// All elements along one axis, in row-major order: a view if they are in this order in memory.
ISTHMUS_EXPORT Array ravel(const Array& x);
/// The same, always copied.
ISTHMUS_EXPORT Array flatten(const Array& x);
/// @{
/// The real and imaginary parts of complex numbers; you can write to them. The real part of a real
/// array is x, and its imaginary part is 0 and read-only. Views. Evaluates x, unlike real(x) and
/// imag(x).
ISTHMUS_EXPORT Array real_view(const Array& x);
ISTHMUS_EXPORT Array imag_view(const Array& x);
/// @}
/// @{
/// The arrays joined along `axis` (none: flattened first), concat({x, y}), or along a new axis,
/// stack({x, y}). Pending. One kernel for each array calculates its pending value directly into its
/// place. More than 2048 arrays are joined immediately, and so are more than 16 on the host whose
/// elements take up to 1 MB. Throws ValueError if shapes do not match, PromotionError if dtypes do
/// not, DeviceMismatchError.
ISTHMUS_EXPORT Array concat(std::span<const Array> arrays, OptionalInteger axis = 0);
ISTHMUS_EXPORT Array stack(std::span<const Array> arrays, AnyInteger axis = 0);
inline Array concat(std::initializer_list<Array> arrays, OptionalInteger axis = 0) {
  return concat(std::span(arrays.begin(), arrays.size()), axis);
}
inline Array stack(std::initializer_list<Array> arrays, AnyInteger axis = 0) {
  return stack(std::span(arrays.begin(), arrays.size()), axis);
}
/// @}
/// @{
/// Does not compile: the arrays must be a list.
template <std::derived_from<Array>... A>
  requires(sizeof...(A) > 0)
Array concat(const Array& x, const A&...) {
  static_assert(detail::never<A...>, "the arrays need braces: concat({x, y})");
  return x;
}
template <std::derived_from<Array>... A>
  requires(sizeof...(A) > 0)
Array stack(const Array& x, const A&...) {
  static_assert(detail::never<A...>, "the arrays need braces: stack({x, y})");
  return x;
}
/// @}
/// @{
/// Does not compile: lengths and axes must be lists.
template <class... I>
  requires detail::LooseIntegers<I...>
Array reshape(const Array& x, I...) {
  static_assert(detail::never<I...>, "a shape needs braces: reshape(x, {2, 3})");
  return x;
}
template <class... I>
  requires detail::LooseIntegers<I...>
Array permute_dims(const Array& x, I...) {
  static_assert(detail::never<I...>, "axes need braces: permute_dims(x, {1, 0})");
  return x;
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
