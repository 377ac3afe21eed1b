// sort.h: sorting and partitioning.
#pragma once

#include <initializer_list>
#include <span>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How to sort. NaN comes last in both directions. Complex numbers are ordered by their real parts,
/// then by their imaginary parts. Those with a NaN part come last; among them, those whose real
/// part is a number come first.
struct SortOptions {
  bool descending = false;  ///< Sort the largest element first.
  bool stable = true;       ///< Equal elements keep their order; they do so in any case.
};

/// The elements sorted along an axis; with std::nullopt all elements, in row-major order, as one
/// axis. Pending; new memory. Throws IndexError for a bad axis, ValueError for an axis of an array
/// without axes, TypeError for struct dtypes. Source: Array API 2025.12, sort.
ISTHMUS_EXPORT Array sort(Array x, OptionalInteger axis = -1, const SortOptions& options = {});
/// The indices along the axis that sort x: int64. Pending; throws as sort(). Source: Array API
/// 2025.12, argsort.
ISTHMUS_EXPORT Array argsort(Array x, OptionalInteger axis = -1, const SortOptions& options = {});

/// @{
/// The indices along the axis that sort by the last key, then, where its elements are equal, by the
/// key before it, and so on: int64. All keys must have the same shape. Pending; new memory. Throws
/// ValueError for no keys or other shapes, else as sort(). Source: NumPy 2, lexsort.
ISTHMUS_EXPORT Array lexsort(std::span<const Array> keys, AnyInteger axis = -1);
inline Array lexsort(std::initializer_list<Array> keys, AnyInteger axis = -1) {
  return lexsort(std::span(keys.begin(), keys.size()), axis);
}
/// @}

/// The elements along an axis, partitioned: the elements at the indices `kth` are those that sort()
/// puts there, no greater elements come before them, and no smaller ones after them. The host uses
/// selection for up to 16 indices; other devices sort, which is also a partition. The same input
/// gives the same order each time. Pending; new memory. Throws IndexError for an index out of
/// range, else as sort(). Source: NumPy 2, partition.
ISTHMUS_EXPORT Array partition(const Array& x, const Axes& kth, OptionalInteger axis = -1);
/// The indices along the axis that partition x: int64. Pending; throws as partition(). Source:
/// NumPy 2, argpartition.
ISTHMUS_EXPORT Array argpartition(const Array& x, const Axes& kth, OptionalInteger axis = -1);

/// The result of topk().
struct TopK {
  Array values;   ///< The elements.
  Array indices;  ///< Their indices along the axis, int64.
};
/// The k largest elements along an axis in descending order, and their indices; with `largest`
/// false the k smallest elements in ascending order. Equal elements keep their order. NaN comes
/// last in both cases. Pending; new memory. Throws ValueError unless 0 <= k <= the length of the
/// axis, else as sort().
ISTHMUS_EXPORT TopK topk(const Array& x, AnyInteger k, AnyInteger axis = -1, Flag largest = true);

}  // namespace isthmus::inline ISTHMUS_ABI
