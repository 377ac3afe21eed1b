// rearrange.h: elements at other places: rolled, repeated, cut, put side by side, left out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The elements in row-major order moved on by `shift` places; the last ones come first again. New
/// memory. Source: Array API 2025.12, roll.
ISTHMUS_EXPORT Array roll(const Array& x, AnyInteger shift);
/// Along each of `axes` moved on by its number in `shifts`, or all by the one number there. New
/// memory. Throws ValueError if there are other numbers of shifts, IndexError for a bad axis.
ISTHMUS_EXPORT Array roll(const Array& x, const Axes& shifts, const Axes& axes);

/// @{
/// Each element `repeats` times, one after another, along an axis (none: flattened first). New
/// memory. Throws ValueError if it is negative. Source: Array API 2025.12, repeat.
ISTHMUS_EXPORT Array repeat(const Array& x, AnyInteger repeats, OptionalInteger axis = {});
template <class N>  // preferred to Axes, which a number makes, too
  requires std::is_arithmetic_v<N>
Array repeat(const Array& x, N repeats, OptionalInteger axis = {}) {
  return repeat(x, AnyInteger(repeats), axis);
}
/// @}
/// @{
/// The same with a number for each element of the axis, or one for all. Waits for them: their sum
/// is the result's length. Throws ValueError for another number of them and negative ones,
/// TypeError for arrays of what are neither integers nor bools, DeviceMismatchError.
ISTHMUS_EXPORT Array repeat(const Array& x, const Axes& repeats, OptionalInteger axis = {});
inline Array repeat(const Array& x, std::initializer_list<AnyInteger> repeats,
                    OptionalInteger axis = {}) {
  return repeat(x, Axes(repeats), axis);
}
ISTHMUS_EXPORT Array repeat(const Array& x, const Array& repeats, OptionalInteger axis = {});
/// @}
/// The whole array so many times along each axis; axes that are missing on either side come first.
/// New memory. Throws ValueError for a negative number. Source: Array API 2025.12, tile.
ISTHMUS_EXPORT Array tile(const Array& x, const Axes& repetitions);

/// @{
/// Views of as many equal parts. Throws ValueError if the axis does not divide, IndexError for a
/// bad axis. Source: NumPy 2, split.
ISTHMUS_EXPORT std::vector<Array> split(const Array& x, AnyInteger sections, AnyInteger axis = 0);
template <class N>  // likewise
  requires std::is_arithmetic_v<N>
std::vector<Array> split(const Array& x, N sections, AnyInteger axis = 0) {
  return split(x, AnyInteger(sections), axis);
}
/// @}
/// Views of the parts before, between and behind these indices, which count as those of slices.
ISTHMUS_EXPORT std::vector<Array> split(const Array& x, const Axes& indices, AnyInteger axis = 0);
/// @{
/// The arrays side by side, along the second axis, or the only one; and one below the other, along
/// the first axis, where one of no or one axis is a row. New memory; throws as concat(). Source:
/// NumPy 2, hstack and vstack.
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
/// Arrays of one axis, each seen through the shape that all span: "xy" has the second one's axis
/// first, "ij" the first one's. Read-only views. Throws ValueError for more axes, or another word.
/// Source: Array API 2025.12, meshgrid.
ISTHMUS_EXPORT std::vector<Array> meshgrid(std::span<const Array> arrays,
                                           std::string_view indexing = "xy");
inline std::vector<Array> meshgrid(std::initializer_list<Array> arrays,
                                   std::string_view indexing = "xy") {
  return meshgrid(std::span(arrays.begin(), arrays.size()), indexing);
}
/// @}

/// @{
/// Of each matrix in the last two axes, what lies on the k-th diagonal and below it, or above it;
/// zeros elsewhere. Pending. Throws ValueError for fewer axes. Source: Array API 2025.12, tril and
/// triu.
ISTHMUS_EXPORT Array tril(const Array& x, AnyInteger k = 0);
ISTHMUS_EXPORT Array triu(const Array& x, AnyInteger k = 0);
/// @}
/// Differences of neighbours along an axis, n times over; of bools, whether they differ. `prepend`
/// and `append` are joined to the axis first; numbers, and arrays without axes, as one element each
/// all along it. Pending; x itself for n = 0. Throws ValueError for a negative n, and as concat().
/// Source: Array API 2025.12, diff; NumPy 2 for numbers and the places of n and axis.
ISTHMUS_EXPORT Array diff(const Array& x, AnyInteger n = 1, AnyInteger axis = -1,
                          const std::optional<Value>& prepend = {},
                          const std::optional<Value>& append = {});

}  // namespace isthmus::inline ISTHMUS_ABI
