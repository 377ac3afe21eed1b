// sort.h: elements in order.
#pragma once

#include <initializer_list>
#include <span>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How to sort. NaN comes last in both directions. Complex numbers are in the order of their real
/// parts, then of their imaginary ones; those with a NaN in them come last, first those whose real
/// part is a number.
struct SortOptions {
  bool descending = false;  ///< The largest first.
  bool stable = true;       ///< Equal elements keep their order; they do in any case.
};

/// The elements along an axis in order; with std::nullopt all, in row-major order, along one axis.
/// Pending; new memory. Throws IndexError for a bad axis, ValueError for an axis of an array
/// without axes, TypeError for struct dtypes. Source: Array API 2025.12, sort.
ISTHMUS_EXPORT Array sort(Array x, OptionalInteger axis = -1, const SortOptions& options = {});
/// Where along the axis the elements of sort() are: int64. Pending; throws as sort(). Source: Array
/// API 2025.12, argsort.
ISTHMUS_EXPORT Array argsort(Array x, OptionalInteger axis = -1, const SortOptions& options = {});

/// @{
/// Where along the axis the elements are in the order of the last key; where that has equal
/// elements in the order of the one before it, and so on: int64. Keys have one shape. Pending; new
/// memory. Throws ValueError for no keys or other shapes, else as sort(). Source: NumPy 2, lexsort.
ISTHMUS_EXPORT Array lexsort(std::span<const Array> keys, AnyInteger axis = -1);
inline Array lexsort(std::initializer_list<Array> keys, AnyInteger axis = -1) {
  return lexsort(std::span(keys.begin(), keys.size()), axis);
}
/// @}

/// The elements along an axis such that those at the indices `kth` are where sort() has them, with
/// none greater before and none less behind. On the host they are selected, for up to 16 indices;
/// other devices sort, which is such an order. The same input has the same order each time.
/// Pending; new memory. Throws IndexError for an index outside the axis, else as sort(). Source:
/// NumPy 2, partition.
ISTHMUS_EXPORT Array partition(const Array& x, const Axes& kth, OptionalInteger axis = -1);
/// Where along the axis the elements of partition() are: int64. Pending; throws as partition().
/// Source: NumPy 2, argpartition.
ISTHMUS_EXPORT Array argpartition(const Array& x, const Axes& kth, OptionalInteger axis = -1);

/// What topk() gives.
struct TopK {
  Array values;   ///< The elements.
  Array indices;  ///< Where along the axis they are, int64.
};
/// The k largest elements along an axis in descending order, and their indices; with `largest`
/// false the k smallest elements in ascending order. Equal elements keep their order. NaN comes
/// last in both cases. Pending; new memory. Throws ValueError unless 0 <= k <= the length of the
/// axis, else as sort().
ISTHMUS_EXPORT TopK topk(const Array& x, AnyInteger k, AnyInteger axis = -1, Flag largest = true);

}  // namespace isthmus::inline ISTHMUS_ABI
