// margins.h: what is in the margins of pad(), by axis.
#pragma once

#include <vector>

#include "isthmus/array/arrange/neighbours.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

enum class Margin {
  constant,
  edge,
  linear_ramp,
  mean,
  median,
  maximum,
  minimum,
  reflect,
  symmetric,
  wrap,
  empty
};

/// An axis that gets margins.
struct Padded {
  int axis;
  std::int64_t before, after;
};

/// @{
/// The array with margins along one axis, which has elements. Pending; the numbers are waited for.
Array with_copies(const Array& x, const Padded& at, Margin margin);  ///< Also even mirrors.
Array with_odd_mirrors(const Array& x, const Padded& at, Margin margin);
/// `length`: of how many elements at each end.
Array with_statistics(const Array& x, const Padded& at, Margin margin, const PadWidth& length);
Array with_ramps(const Array& x, const Padded& at, const PadConstant& ends);
/// @}
/// The array amid constants, a pair for each of the axes. Pending; the constants are waited for.
Array with_constants(const Array& x, const std::vector<Padded>& axes, const Shape& whole,
                     const std::vector<PadConstant>& constants);
/// New memory with the array in it, amid elements that are undefined.
Array amid_nothing(const Array& x, const std::vector<Padded>& axes, const Shape& whole);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
