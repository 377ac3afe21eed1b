// sets.h: the distinct elements of arrays, and which elements another array has.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What unique_counts() gives.
struct UniqueCounts {
  Array values;  ///< The distinct elements in ascending order.
  Array counts;  ///< How often each of them is in x: int64.
};
/// What unique_inverse() gives.
struct UniqueInverse {
  Array values;           ///< The distinct elements in ascending order.
  Array inverse_indices;  ///< For each element of x which of the values it is: int64, x's shape.
};
/// What unique_all() gives.
struct UniqueAll {
  Array values;           ///< The distinct elements in ascending order.
  Array indices;          ///< Where each of them is first among x's elements in row-major order.
  Array inverse_indices;  ///< For each element of x which of the values it is: int64, x's shape.
  Array counts;           ///< How often each of them is in x: int64.
};

/// The distinct elements of an array, in ascending order, as sort() has it: new memory of one axis.
/// Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is given. Waits
/// for their number. Throws TypeError for struct dtypes. Source: Array API 2025.12, unique_values.
ISTHMUS_EXPORT Array unique_values(const Array& x);
/// The same, and how often each is there. Source: Array API 2025.12, unique_counts.
ISTHMUS_EXPORT UniqueCounts unique_counts(const Array& x);
/// The same, and which of them each element of x is. Source: Array API 2025.12, unique_inverse.
ISTHMUS_EXPORT UniqueInverse unique_inverse(const Array& x);
/// All of these, and where each value is first. Source: Array API 2025.12, unique_all.
ISTHMUS_EXPORT UniqueAll unique_all(const Array& x);

/// Whether each element of x1 is equal to any of x2, or with `invert` to none: bools in the shape
/// of x1. NaN is equal to nothing. At least one is an array. Pending, but for complex numbers,
/// which are written out at once. An array x2 is calculated by the call: the host looks at it, a
/// device has it put in order in its queue. Throws PromotionError for dtypes without a common one,
/// TypeError for two numbers and for struct dtypes. Source: Array API 2025.12, isin.
ISTHMUS_EXPORT Array isin(const Value& x1, const Value& x2, Flag invert = false);

}  // namespace isthmus::inline ISTHMUS_ABI
