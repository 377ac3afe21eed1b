// calculated.h: the dtypes in which functions calculate.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

inline bool has_fractions(DType dtype) {
  return dtype.family == Family::real || dtype.family == Family::complex;
}

/// What a family can hold without loss of kind: each one those of a lower rank.
inline int family_rank(DType dtype) {
  constexpr int ranks[] = {0, 2, 1, 3, 4, 5};
  return ranks[static_cast<int>(dtype.family)];
}

/// The dtype of a mean: that of x, or the default real one for integers and bools.
inline DType mean_dtype(const Array& x) {
  return has_fractions(x.dtype()) ? x.dtype() : default_real(x.device());
}

/// In which numbers are added up or searched: halves in float32, in which a sum does not overflow
/// where the mean does not.
inline DType summing_dtype(DType dtype) {
  const bool is_half = dtype.family == Family::real && dtype.bits == 16;
  return is_half ? DType(TypeId::float32) : dtype;
}

/// The dtype, or of one with doubles what a device without them has in its place.
inline DType had_by(const Device& device, DType dtype) {
  if (has_dtype(device, dtype)) return dtype;
  return dtype.family == Family::complex ? TypeId::complex64 : TypeId::float32;
}

/// Both of these.
inline DType calculated_in(DType dtype, const Device& device) {
  return had_by(device, summing_dtype(dtype));
}

}  // namespace isthmus::inline ISTHMUS_ABI
