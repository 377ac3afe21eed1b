// diagonal.h: diagonals of matrices.
#pragma once

#include <cstdint>
#include <optional>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The diagonals of the matrices that two axes make, as the last axis; `offset` is the column at
/// which they begin, or less than 0 the row. A view, through which x is written to, unlike NumPy's.
/// Throws ValueError for fewer than two axes, or one axis twice, IndexError for bad ones. Source:
/// NumPy 2, diagonal.
ISTHMUS_EXPORT Array diagonal(const Array& x, AnyInteger offset = 0, AnyInteger axis1 = 0,
                              AnyInteger axis2 = 1);
/// The sums of these diagonals, as sum() gives them. New memory. Pending. Throws as diagonal() and
/// sum(). Source: NumPy 2, trace.
ISTHMUS_EXPORT Array trace(const Array& x, AnyInteger offset = 0, AnyInteger axis1 = 0,
                           AnyInteger axis2 = 1, std::optional<DType> dtype = {});
/// The same with the dtype as a type of C++: trace<double>(x).
template <Element T>
Array trace(const Array& x, AnyInteger offset = 0, AnyInteger axis1 = 0, AnyInteger axis2 = 1) {
  return trace(x, offset, axis1, axis2, dtype_of_type<T>());
}

}  // namespace isthmus::inline ISTHMUS_ABI
