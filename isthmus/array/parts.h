// parts.h: functions with two results, which one kernel writes: who needs the one gets the other.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What divmod() gives.
struct DivMod {
  Array quotient;   ///< Rounded towards minus infinity.
  Array remainder;  ///< With the sign of the divisor.
};
/// floor_divide(x, y) and remainder(x, y): auto [q, r] = divmod(x, y). At least one is an array.
/// New memory, pending. Throws as these do. Source: NumPy 2, divmod.
ISTHMUS_EXPORT DivMod divmod(const Value& x, const Value& y);

/// What modf() gives.
struct Modf {
  Array fraction;  ///< Between -1 and 1.
  Array whole;     ///< A whole number, as a float.
};
/// The part behind the point and the part before it, both with the sign of x, also where they are
/// zero; of infinity zero and infinity, of NaN both NaN. Integers are calculated as floats. New
/// memory, pending. Throws TypeError for complex numbers. Source: NumPy 2, modf; C17 7.12.6.12.
ISTHMUS_EXPORT Modf modf(Array x);

/// What frexp() gives.
struct Frexp {
  Array mantissa;  ///< From 0.5 to 1, with the sign of x.
  Array exponent;  ///< int32.
};
/// The mantissa and the exponent of which x is mantissa * 2^exponent, exactly, also of subnormal
/// numbers. Zeros, infinities and NaN are their own mantissa and have the exponent 0. Integers are
/// calculated as floats. New memory, pending. Throws TypeError for complex numbers. Source: NumPy
/// 2, frexp; C17 7.12.6.4.
ISTHMUS_EXPORT Frexp frexp(Array x);

}  // namespace isthmus::inline ISTHMUS_ABI
