// rearrange.h: functions that roll, repeat, split, stack and select elements.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Shifts the elements by `shift` places in row-major order; elements past the end continue at the
/// beginning. New memory. Source: Array API 2025.12, roll.
ISTHMUS_EXPORT Array roll(const Array& x, AnyInteger shift);
/// Shifts the elements along each of `axes` by its number in `shifts`, or along all axes by the
/// only number there. New memory. Throws ValueError if the numbers of shifts and axes differ,
/// IndexError for a bad axis.
ISTHMUS_EXPORT Array roll(const Array& x, const Axes& shifts, const Axes& axes);

/// @{
/// Repeats each element `repeats` times along an axis (none: flattened first). New memory. Throws
/// ValueError if it is negative. Source: Array API 2025.12, repeat.
ISTHMUS_EXPORT Array repeat(const Array& x, AnyInteger repeats, OptionalInteger axis = {});
template <class N>  // preferred to Axes, to which a number converts, too
  requires std::is_arithmetic_v<N>
Array repeat(const Array& x, N repeats, OptionalInteger axis = {}) {
  return repeat(x, AnyInteger(repeats), axis);
}
/// @}
/// @{
/// The same with a number for each element of the axis, or one for all. Waits for the numbers,
/// because their sum is the length of the result. Throws ValueError for another count of numbers
/// and for negative numbers, TypeError for arrays of dtypes other than integers and bool,
/// DeviceMismatchError.
ISTHMUS_EXPORT Array repeat(const Array& x, const Axes& repeats, OptionalInteger axis = {});
inline Array repeat(const Array& x, std::initializer_list<AnyInteger> repeats,
                    OptionalInteger axis = {}) {
  return repeat(x, Axes(repeats), axis);
}
ISTHMUS_EXPORT Array repeat(const Array& x, const Array& repeats, OptionalInteger axis = {});
/// @}
/// Repeats the whole array this many times along each axis; if `repetitions` or x has fewer axes,
/// the missing axes come first. New memory. Throws ValueError for a negative number. Source: Array
/// API 2025.12, tile.
ISTHMUS_EXPORT Array tile(const Array& x, const Axes& repetitions);

/// @{
/// Views of `sections` equal parts. Throws ValueError if the length of the axis is not divisible,
/// IndexError for a bad axis. Source: NumPy 2, split.
ISTHMUS_EXPORT std::vector<Array> split(const Array& x, AnyInteger sections, AnyInteger axis = 0);
template <class N>  // likewise
  requires std::is_arithmetic_v<N>
std::vector<Array> split(const Array& x, N sections, AnyInteger axis = 0) {
  return split(x, AnyInteger(sections), axis);
}
/// @}
/// Views of the parts before, between and after these indices, which count as in slices.
ISTHMUS_EXPORT std::vector<Array> split(const Array& x, const Axes& indices, AnyInteger axis = 0);
/// @{
/// hstack() joins the arrays along the second axis, or the only one. vstack() joins them along the
/// first axis; an array of no or one axis is a row. New memory; throws as concat(). Source: NumPy
/// 2, hstack and vstack.
ISTHMUS_EXPORT Array hstack(std::span<const Array> arrays);
ISTHMUS_EXPORT Array vstack(std::span<const Array> arrays);
inline Array hstack(std::initializer_list<Array> arrays) {
  return hstack(std::span(arrays.begin(), arrays.size()));
}
inline Array vstack(std::initializer_list<Array> arrays) {
  return vstack(std::span(arrays.begin(), arrays.size()));
}
/// @}
/// @{
/// Arrays of one axis, each broadcast to the grid that all span: with "xy" the axis of the second
/// array comes first, with "ij" that of the first. Read-only views. Throws ValueError for more
/// axes, or another `indexing`. Source: Array API 2025.12, meshgrid.
ISTHMUS_EXPORT std::vector<Array> meshgrid(std::span<const Array> arrays,
                                           std::string_view indexing = "xy");
inline std::vector<Array> meshgrid(std::initializer_list<Array> arrays,
                                   std::string_view indexing = "xy") {
  return meshgrid(std::span(arrays.begin(), arrays.size()), indexing);
}
/// @}

/// @{
/// The elements of each matrix in the last two axes on the k-th diagonal and below it (tril) or
/// above it (triu); zeros elsewhere. Pending. Throws ValueError for fewer axes. Source: Array API
/// 2025.12, tril and triu.
ISTHMUS_EXPORT Array tril(const Array& x, AnyInteger k = 0);
ISTHMUS_EXPORT Array triu(const Array& x, AnyInteger k = 0);
/// @}
/// Differences of adjacent elements along an axis, applied n times; for bools, whether they differ.
/// `prepend` and `append` are joined to the axis first; numbers, and arrays without axes, count as
/// one element. Pending; x itself for n = 0. Throws ValueError for a negative n, and as concat().
/// Source: Array API 2025.12, diff; NumPy 2 for numbers and the places of n and axis.
ISTHMUS_EXPORT Array diff(const Array& x, AnyInteger n = 1, AnyInteger axis = -1,
                          const std::optional<Value>& prepend = {},
                          const std::optional<Value>& append = {});

}  // namespace isthmus::inline ISTHMUS_ABI
