// nonzero.h: indices of the elements that are not zero.
#pragma once

#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The indices of the elements that are not zero, in row-major order: one array of int64 for each
/// axis. NaN is not zero. Waits, because their number is the length of the results. Throws
/// ValueError for an array without axes. Source: Array API 2025.12, nonzero.
ISTHMUS_EXPORT std::vector<Array> nonzero(const Array& x);
/// Same as nonzero(), as in NumPy; with two more arguments where() selects between them.
ISTHMUS_EXPORT std::vector<Array> where(const Array& condition);
/// The same as one array: one row for each such element, with one index for each axis of x. Waits.
/// Source: NumPy 2, argwhere.
ISTHMUS_EXPORT Array argwhere(const Array& x);
/// The indices of these elements in row-major order: int64. Waits. Source: NumPy 2, flatnonzero.
ISTHMUS_EXPORT Array flatnonzero(const Array& x);

namespace detail {
/// The row-major indices of the elements that are true: int64, in ascending order. Waits for their
/// number.
ISTHMUS_EXPORT Array true_positions(const Array& mask);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
