// index_check.h: indices that are compared with a length by a kernel, for which nobody waits.
#pragma once

#include "isthmus/array/index/positions.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// The indices on the host, where it can look at them without a wait for a device: on the host
/// always, and where their memory is in its reach and no work that writes it is unfinished.
std::optional<Array> at_hand(const Array& indices);

/// The check of indices, as checked_indices() has them, of which there is one at least.
LateIndices check_late(std::string_view who, const Array& indices, std::int64_t extent, int axis,
                       const Dims& given);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
