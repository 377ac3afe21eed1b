// manipulate.h: views by shape, and joining.
#pragma once

#include "isthmus/array/create/create.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A view with another shape, one extent of which may be -1; a copy where strides do not allow it
/// or `copy` is true. Throws ValueError if sizes differ, CopyRefusedError if `copy` is false and
/// needed.
ISTHMUS_EXPORT Array reshape(const Array& x, const Shape& shape, std::optional<Flag> copy = {});
/// A view with the axes in this order. Axes may be negative, here and below; throws IndexError for
/// bad ones and ValueError for repeated ones.
ISTHMUS_EXPORT Array permute_dims(const Array& x, const Axes& axes);
ISTHMUS_EXPORT Array broadcast_to(const Array& x, const Shape& shape);  ///< A view, read-only.
/// A view with new axes of length 1, which have these numbers in it.
ISTHMUS_EXPORT Array expand_dims(const Array& x, const Axes& axes);
ISTHMUS_EXPORT Array transpose(const Array& x);  ///< A view: the axes in reverse order.
/// As permute_dims(), which is its name in the Array API.
inline Array transpose(const Array& x, const Axes& axes) { return permute_dims(x, axes); }
/// A view with some axes, or one, at other places, the others in their order. Throws ValueError if
/// axes are repeated or differ in number, IndexError outside the array.
ISTHMUS_EXPORT Array moveaxis(const Array& x, const Axes& source, const Axes& destination);
/// The last two axes swapped. Throws ValueError for fewer axes.
ISTHMUS_EXPORT Array matrix_transpose(const Array& x);
/// Views without an axis, one for each index of it. Throws IndexError for a bad axis, ValueError
/// for an array without axes.
ISTHMUS_EXPORT std::vector<Array> unstack(const Array& x, AnyInteger axis = 0);
/// @{
/// The shape that all broadcast to. Throws ValueError, naming the axis, if they do not.
ISTHMUS_EXPORT Shape broadcast_shapes(std::span<const Shape> shapes);
inline Shape broadcast_shapes(std::initializer_list<Shape> shapes) {
  return broadcast_shapes(std::span(shapes.begin(), shapes.size()));
}
/// @}
/// @{
/// The arrays seen through their common shape; read-only.
ISTHMUS_EXPORT std::vector<Array> broadcast_arrays(std::span<const Array> arrays);
inline std::vector<Array> broadcast_arrays(std::initializer_list<Array> arrays) {
  return broadcast_arrays(std::span(arrays.begin(), arrays.size()));
}
/// @}
/// A view with two axes exchanged.
ISTHMUS_EXPORT Array swapaxes(const Array& x, AnyInteger first, AnyInteger second);
/// A view without all axes of length 1, or without these; throws ValueError if one of them is
/// longer.
ISTHMUS_EXPORT Array squeeze(const Array& x, const AxisSet& axes = all_axes);
/// A view with these axes backwards.
ISTHMUS_EXPORT Array flip(const Array& x, const AxisSet& axes = all_axes);
/// All elements in one row, in row-major order: a view where they lie in it.
ISTHMUS_EXPORT Array ravel(const Array& x);
/// The same, always copied.
ISTHMUS_EXPORT Array flatten(const Array& x);
/// @{
/// The parts of complex numbers, which can be written to; the real part of what is real is x, and
/// its imaginary part is 0 and read-only. Views. Evaluates x, unlike real(x) and imag(x).
ISTHMUS_EXPORT Array real_view(const Array& x);
ISTHMUS_EXPORT Array imag_view(const Array& x);
/// @}
/// @{
/// A pending value, joined along `axis` (none: flattened first) or along a new one: concat({x, y}).
/// What the arrays wait for is calculated into its place by one kernel for each of them. More than
/// 2048 arrays are joined at once. Throws ValueError if shapes disagree, PromotionError if dtypes
/// do, DeviceMismatchError.
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
/// Does not compile: arrays are a list.
template <std::derived_from<Array>... A>
  requires(sizeof...(A) > 0)
Array concat(const Array& x, const A&...) {
  static_assert(detail::never<A...>, "the arrays have braces: concat({x, y})");
  return x;
}
template <std::derived_from<Array>... A>
  requires(sizeof...(A) > 0)
Array stack(const Array& x, const A&...) {
  static_assert(detail::never<A...>, "the arrays have braces: stack({x, y})");
  return x;
}
/// @}
/// @{
/// Does not compile: lengths and axes are lists.
template <class... I>
  requires detail::LooseIntegers<I...>
Array reshape(const Array& x, I...) {
  static_assert(detail::never<I...>, "a shape has braces: reshape(x, {2, 3})");
  return x;
}
template <class... I>
  requires detail::LooseIntegers<I...>
Array permute_dims(const Array& x, I...) {
  static_assert(detail::never<I...>, "axes have braces: permute_dims(x, {1, 0})");
  return x;
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
