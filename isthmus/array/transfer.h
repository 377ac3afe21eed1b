// transfer.h: copies to the host that the caller does not wait for.
#pragma once

#include "isthmus/array/array_class.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Begins to copy all elements of a row-major array on a device to one of the host that is not
/// read-only and has as many bytes; evaluates both. Work on the queue comes behind it. Both
/// memories stay until it has ended.
ISTHMUS_EXPORT void begin_copy(const Array& from, const Array& to);

}  // namespace isthmus::inline ISTHMUS_ABI
