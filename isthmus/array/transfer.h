// transfer.h: copies to the host that the caller does not wait for.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "isthmus/array/array_class.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Begins to copy all elements of a row-major array on a device to one of the host that is not
/// read-only and has as many bytes; evaluates both. Work on the queue comes behind it. Both
/// memories stay until it has ended.
ISTHMUS_EXPORT void begin_copy(const Array& from, const Array& to);

/// A copy of a few elements, row by row, for which nobody has to wait: the host reaches them, and
/// no work on them is under way; what is pending is calculated if the host does that at once.
/// Nothing for other arrays.
ISTHMUS_EXPORT std::optional<std::vector<std::byte>> bytes_at_rest(const Array& x);

}  // namespace isthmus::inline ISTHMUS_ABI
