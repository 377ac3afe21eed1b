// diagonal.h: diagonals of matrices.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The diagonals of the matrices in two axes, as the last axis; `offset` is the column in which
/// they begin, or the row if it is negative. A view, through which you can write to x, unlike in
/// NumPy. Throws ValueError for fewer than two axes, or the same axis twice, IndexError for bad
/// axes. Source: NumPy 2, diagonal.
ISTHMUS_EXPORT Array diagonal(const Array& x, AnyInteger offset = 0, AnyInteger axis1 = 0,
                              AnyInteger axis2 = 1);
/// The sums of these diagonals, as returned by sum(). New memory. Pending. Throws as diagonal() and
/// sum(). Source: NumPy 2, trace.
ISTHMUS_EXPORT Array trace(const Array& x, AnyInteger offset = 0, AnyInteger axis1 = 0,
                           AnyInteger axis2 = 1, std::optional<DType> dtype = {});
/// The same with the dtype as a C++ type: trace<double>(x).
template <Element T>
Array trace(const Array& x, AnyInteger offset = 0, AnyInteger axis1 = 0, AnyInteger axis2 = 1) {
  return trace(x, offset, axis1, axis2, dtype_of_type<T>());
}

}  // namespace isthmus::inline ISTHMUS_ABI
