// nonzero.h: where elements are not zero.
#pragma once

#include <vector>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The indices of the elements that are not zero, in row-major order: one array of int64 for each
/// axis. NaN is not zero. Waits: their number is the results' length. Throws ValueError for an
/// array without axes. Source: Array API 2025.12, nonzero.
ISTHMUS_EXPORT std::vector<Array> nonzero(const Array& x);
/// nonzero(), as NumPy spells it, too; with two values where() chooses between them.
ISTHMUS_EXPORT std::vector<Array> where(const Array& condition);
/// The same as one array: a row of as many numbers as x has axes for each such element. Waits.
/// Source: NumPy 2, argwhere.
ISTHMUS_EXPORT Array argwhere(const Array& x);
/// The places of such elements in row-major order: int64. Waits. Source: NumPy 2, flatnonzero.
ISTHMUS_EXPORT Array flatnonzero(const Array& x);

namespace detail {
/// The row-major numbers of the elements that are true: int64, in ascending order. Waits for how
/// many there are.
ISTHMUS_EXPORT Array true_positions(const Array& mask);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
