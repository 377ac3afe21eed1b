// sort.h: elements in order.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How to sort. NaN comes last in both directions.
struct SortOptions {
  bool descending = false;  ///< The largest first.
  bool stable = true;       ///< Equal elements keep their order; they do in any case.
};

/// The elements along an axis in order. Pending; new memory. Throws index for a bad axis, value for
/// an array without axes, type for complex and struct dtypes. Source: Array API 2025.12, sort.
ISTHMUS_EXPORT Array sort(Array x, std::int64_t axis = -1, const SortOptions& options = {});
/// Where along the axis the elements of sort() are: int64. Pending; throws as sort(). Source: Array
/// API 2025.12, argsort.
ISTHMUS_EXPORT Array argsort(Array x, std::int64_t axis = -1, const SortOptions& options = {});

}  // namespace isthmus::inline ISTHMUS_ABI
