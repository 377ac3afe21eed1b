// outside.h: order between our work and what others put on queues of their own: whoever lent us
// memory, and our guests, to whom we lent it.
#pragma once

#include "isthmus/core/hazards.h"

namespace isthmus {

/// Adds an event behind all that the memory's owner and its guests have put on their queues so far;
/// nothing where those are not known. Throws what the driver throws.
ISTHMUS_EXPORT void wait_for_outside(Memory& memory, Events& waits);
/// Lets what they put there from now on wait for `event`; a null event is past work.
ISTHMUS_EXPORT void tell_outside(Memory& memory, const Ref<Event>& event);
/// Takes note of what others have entered in lists of events that they share with us, and enters
/// work of ours there. Before and after the work, with no lock held.
ISTHMUS_EXPORT void learn_of_outside(Memory& memory);
ISTHMUS_EXPORT void enter_outside(Memory& memory, const Ref<Event>& event) noexcept;
/// Whether there is anybody of whose work no event tells us. Needs graph_lock.
ISTHMUS_EXPORT bool has_outside(Memory& memory);

/// Whether others may write to it without being in order with us: the host's code, or somebody
/// whose queue is not known. Then what reads it must have ended before our caller goes on. Needs
/// graph_lock.
ISTHMUS_EXPORT bool is_open(Memory& memory);

/// Puts what somebody enqueues from now on behind all work on the memory, without waiting where the
/// driver can do that.
ISTHMUS_EXPORT void put_behind(Memory& memory, const Ref<BackendQueue>& queue);
/// The same for a guest, and until he is let out his work and ours take turns.
ISTHMUS_EXPORT void let_in(Memory& memory, const Ref<BackendQueue>& guest);
/// As let_in, for somebody who ends his look without a word, and asks nothing else of us meanwhile:
/// what is on his queue when the memory is next used counts as work on it that may write.
ISTHMUS_EXPORT void let_look(Memory& memory, const Ref<BackendQueue>& guest);
/// The guest is gone: what is on his queue now counts as work on the memory that may write. Any
/// thread.
ISTHMUS_EXPORT void let_out(Memory& memory, const Ref<BackendQueue>& guest) noexcept;

}  // namespace isthmus
