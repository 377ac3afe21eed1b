// stop.h: why kernels end where they do.
#pragma once

#include <cstdint>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Why a producer did not join its consumer's kernel.
enum class Stop : std::uint8_t {
  view,       ///< it is read in another order, or in a shape that it cannot be calculated in
  broadcast,  ///< it is smaller than the loop, and would be calculated again and again
  shared,     ///< consumers in different kernels need it
  reduction,  ///< the kernel has a reduction already, or it stands on its wrong side
  held,       ///< an array holds it, and this kernel could not write it out as well
  position,   ///< it is read at any position, so all of it is needed first
  text,       ///< another text of a user stands before the kernel, or it has other options
  structs,    ///< structs are moved by a kernel that does nothing else
  concat,     ///< it is joined of parts, each of which is a kernel
  full,       ///< the kernel has as many steps or operands as one may have
  count_,
};
/// "view", "broadcast", ... Throws ValueError for a number that is no reason.
ISTHMUS_EXPORT std::string_view to_string(Stop stop);
/// Why, as a sentence about the value. Throws alike.
ISTHMUS_EXPORT std::string_view reason(Stop stop);

}  // namespace isthmus::inline ISTHMUS_ABI
