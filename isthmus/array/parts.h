// parts.h: functions with two results, which one kernel writes together.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The result of divmod().
struct DivMod {
  Array quotient;   ///< Rounded towards minus infinity.
  Array remainder;  ///< With the sign of the divisor.
};
/// floor_divide(x, y) and remainder(x, y): auto [q, r] = divmod(x, y). At least one operand must be
/// an array. New memory, pending. Throws as these functions do. Source: NumPy 2, divmod.
ISTHMUS_EXPORT DivMod divmod(const Value& x, const Value& y);

/// The result of modf().
struct Modf {
  Array fraction;  ///< Between -1 and 1.
  Array whole;     ///< A whole number, as a float.
};
/// The fractional part and the whole part, both with the sign of x, even if they are zero. For
/// infinity they are zero and infinity, for NaN both are NaN. Integers are calculated as floats.
/// New memory, pending. Throws TypeError for complex numbers. Source: NumPy 2, modf; C17 7.12.6.12.
ISTHMUS_EXPORT Modf modf(Array x);

/// The result of frexp().
struct Frexp {
  Array mantissa;  ///< From 0.5 to 1, with the sign of x.
  Array exponent;  ///< int32.
};
/// The mantissa and the exponent with x = mantissa * 2^exponent, exactly, also for subnormal
/// numbers. Zeros, infinities and NaN are their own mantissa and have the exponent 0. Integers are
/// calculated as floats. New memory, pending. Throws TypeError for complex numbers. Source: NumPy
/// 2, frexp; C17 7.12.6.4.
ISTHMUS_EXPORT Frexp frexp(Array x);

}  // namespace isthmus::inline ISTHMUS_ABI
