// outside.h: order between our work and what the owner of foreign memory puts on a queue of its own.
#pragma once

#include "isthmus/core/hazards.h"

namespace isthmus {

/// Adds an event behind all that the memory's owner has put on its queue so far; nothing if the
/// queue is not known. Throws what the driver throws.
ISTHMUS_EXPORT void wait_for_outside(const Memory& memory, Events& waits);
/// Lets what the owner puts there from now on wait for `event`; a null event is past work.
ISTHMUS_EXPORT void tell_outside(const Memory& memory, const Ref<Event>& event);

}  // namespace isthmus
