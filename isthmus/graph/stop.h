// stop.h: why fusion of kernels stops.
#pragma once

#include <cstdint>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Why a producer did not join its consumer's kernel.
enum class Stop : std::uint8_t {
  view,       ///< it is read in another order, or in a shape in which it cannot be calculated
  broadcast,  ///< it is smaller than the loop, and would be calculated repeatedly
  shared,     ///< consumers in different kernels need it
  reduction,  ///< the kernel has a reduction already, or it is on the wrong side of the reduction
  held,       ///< an array holds it, and this kernel cannot write it as well
  position,   ///< it is read at arbitrary positions, so all of it is needed first
  text,       ///< the kernel has another user preamble or other options
  structs,    ///< structs are copied by a kernel that does nothing else
  concat,     ///< it is joined from parts, each of which is a kernel
  full,       ///< the kernel has the maximum number of steps or operands
  count_,
};
/// "view", "broadcast", ... Throws ValueError for a number that is not a reason.
ISTHMUS_EXPORT std::string_view to_string(Stop stop);
/// The reason as a sentence about the value. Throws the same error.
ISTHMUS_EXPORT std::string_view reason(Stop stop);

}  // namespace isthmus::inline ISTHMUS_ABI
