// sets.h: the distinct elements of arrays, and membership tests.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The result of unique_counts().
struct UniqueCounts {
  Array values;  ///< The distinct elements in ascending order.
  Array counts;  ///< How often each of them is in x: int64.
};
/// The result of unique_inverse().
struct UniqueInverse {
  Array values;           ///< The distinct elements in ascending order.
  Array inverse_indices;  ///< For each element of x which of the values it is: int64, x's shape.
};
/// The result of unique_all().
struct UniqueAll {
  Array values;           ///< The distinct elements in ascending order.
  Array indices;          ///< The first index of each of them in x, in row-major order.
  Array inverse_indices;  ///< For each element of x which of the values it is: int64, x's shape.
  Array counts;           ///< How often each of them is in x: int64.
};

/// The distinct elements of an array, in ascending order, as by sort(): new memory of one axis.
/// Each NaN is distinct from all others; 0.0 and -0.0 are equal, and the first one is returned.
/// Waits for their number. Throws TypeError for struct dtypes. Source: Array API 2025.12,
/// unique_values.
ISTHMUS_EXPORT Array unique_values(const Array& x);
/// The same, and how often each occurs. Source: Array API 2025.12, unique_counts.
ISTHMUS_EXPORT UniqueCounts unique_counts(const Array& x);
/// The same, and the index of the value of each element of x. Source: Array API 2025.12,
/// unique_inverse.
ISTHMUS_EXPORT UniqueInverse unique_inverse(const Array& x);
/// All of these, and the first index of each value. Source: Array API 2025.12, unique_all.
ISTHMUS_EXPORT UniqueAll unique_all(const Array& x);

/// Whether each element of x1 is equal to any of x2, or with `invert` to none: bools in the shape
/// of x1. NaN is equal to nothing. At least one must be an array. Pending, except for complex
/// numbers, which are calculated at once. The call calculates an array x2: the host reads it, and a
/// device sorts it in its queue. Throws PromotionError for dtypes without a common dtype, TypeError
/// for two numbers and for struct dtypes. Source: Array API 2025.12, isin.
ISTHMUS_EXPORT Array isin(const Value& x1, const Value& x2, Flag invert = false);

}  // namespace isthmus::inline ISTHMUS_ABI
