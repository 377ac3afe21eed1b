// waiting.h: blocking until work has ended, without keeping a signal's handler from running.
#pragma once

#include "isthmus/core/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Blocks until the work has ended; throws its error, with what it was (Event::join), or
/// interrupted, which leaves the work to go on by itself. Needs no lock held.
ISTHMUS_EXPORT void wait_for(const Ref<Event>& event);

}  // namespace isthmus::inline ISTHMUS_ABI
