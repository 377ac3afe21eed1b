// foreign_work.h: order between our work and that on foreign queues: of those who lent us memory,
// and of those who borrow ours.
#pragma once

#include <span>

#include "isthmus/hazards/hazards.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Adds an event behind all that the memory's owner and its borrowers have put on their queues so
/// far; nothing where those are not known. Throws what the driver throws.
ISTHMUS_EXPORT void wait_for_foreign_work(BackendMemory& memory, Events& waits);
/// Lets what they put there from now on wait for `event`; a null event is past work.
ISTHMUS_EXPORT void put_foreign_work_behind(BackendMemory& memory, const Ref<Event>& event);
/// Notes the events that others have entered in lists that they share with us, and enters ours
/// there. Before and after the work, with no lock held.
ISTHMUS_EXPORT void learn_of_foreign_work(BackendMemory& memory);
ISTHMUS_EXPORT void share_event(BackendMemory& memory, const Ref<Event>& event) noexcept;
/// Whether there is a queue on which others work without an event for us. Needs graph_lock.
ISTHMUS_EXPORT bool has_foreign_queue(BackendMemory& memory);

/// Whether others may write to it without being in order with us: the host's code, or work on a
/// queue that is not known. Then what reads it must have ended before our caller goes on. Needs
/// graph_lock.
ISTHMUS_EXPORT bool is_open(BackendMemory& memory);

/// Whether one of them is open. Takes graph_lock.
bool is_any_open(std::span<BackendMemory* const> memories);

/// Orders what is put on the queue from now on behind all work on the memory, without waiting where
/// the driver can do that.
ISTHMUS_EXPORT void put_behind(BackendMemory& memory, const Ref<BackendQueue>& queue);
/// The same for a borrower; until end_borrowing its work and ours take turns.
ISTHMUS_EXPORT void begin_borrowing(BackendMemory& memory, const Ref<BackendQueue>& borrower);
/// As begin_borrowing, for a borrower that does not say when it ends, and asks nothing else of us
/// meanwhile: what is on its queue when the memory is next used counts as work that may write.
ISTHMUS_EXPORT void borrow_briefly(BackendMemory& memory, const Ref<BackendQueue>& borrower);
/// The end of a loan: what is on the borrower's queue now counts as work that may write. Any
/// thread.
ISTHMUS_EXPORT void end_borrowing(BackendMemory& memory,
                                  const Ref<BackendQueue>& borrower) noexcept;

}  // namespace isthmus::inline ISTHMUS_ABI
