// hazards.h: which memories are one memory, who reads them, and which work touched them last.
#pragma once

#include <mutex>
#include <span>

#include "isthmus/base/mutex.h"
#include "isthmus/base/small_vector.h"
#include "isthmus/core/memory.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
extern ISTHMUS_EXPORT Mutex graph_mutex;
}

/// Guards all graphs, readers, hazards and intervals. Held briefly: no driver call, no wait, no
/// foreign code and no last reference is dropped under it. A fork waits for it.
inline Mutex& graph_lock() { return detail::graph_mutex; }

/// Enters memory that others can reach into the registry of address intervals. If it overlaps
/// memories that are there, they share their activity from now on. Needs graph_lock. A buffer
/// handle counts as an address space of its own. Returns whether it lies within what was there.
ISTHMUS_EXPORT bool track(BackendMemory& memory);
/// Leaves the registry. What was known there is the caller's, to be dropped without the lock, since
/// the end of an event is a driver call. Needs graph_lock.
[[nodiscard]] Hazards untrack(BackendMemory& memory) noexcept;

/// Links a pending operand to what it reads; `reader` must stay where it is. Needs graph_lock.
ISTHMUS_EXPORT void link(Reader& reader, Node* node, BackendMemory& memory, const Layout& seen,
                         std::int64_t bytes);
inline void push(Reader*& list, Reader& reader) {
  reader.next = list;
  reader.to_this = &list;
  if (reader.next) reader.next->to_this = &reader.next;
  list = &reader;
}
inline void unlink(Reader& reader) {
  if (!reader.to_this) return;
  *reader.to_this = reader.next;
  if (reader.next) reader.next->to_this = reader.to_this;
  reader.to_this = nullptr;
}

/// Adds the events that new work must wait for; null ones and those that ended well are left out.
/// Needs graph_lock.
ISTHMUS_EXPORT void add_waits_for_reading(BackendMemory& memory, Events& waits);
/// Readers on `timeline`, where the new work will be, are left out too.
ISTHMUS_EXPORT void add_waits_for_writing(BackendMemory& memory, Events& waits,
                                          std::uint64_t timeline = 0);
/// Notes that work behind `event` reads or writes the memory; a null event is past work.
/// Needs graph_lock. Events that fall out are moved to `trash`, to be dropped without the lock.
ISTHMUS_EXPORT void note_read(BackendMemory& memory, const Ref<Event>& event, Events& trash);
ISTHMUS_EXPORT void note_write(BackendMemory& memory, const Ref<Event>& event, Events& trash);
/// The work that wrote the memory last; null where several did, where it is another's, or where
/// nobody remembers. Needs graph_lock.
ISTHMUS_EXPORT Ref<Event> last_write(BackendMemory& memory);

/// Whether nothing that is known of is under way on memory that the host reaches, and nobody could
/// have put something there that is not known of. Needs graph_lock.
ISTHMUS_EXPORT bool is_at_rest(BackendMemory& memory);
/// The same, also where work that is known of has ended, and well. Asks drivers for that.
ISTHMUS_EXPORT bool is_free(BackendMemory& memory);

/// To be called for memory that is taken out of a pool, where its work may be unfinished; see
/// BackendMemory::timeline.
ISTHMUS_EXPORT void leave_timeline(BackendMemory& memory) noexcept;
/// Memories that were dropped while work on them was pending, and are not released yet.
ISTHMUS_EXPORT std::int64_t reaper_backlog();
ISTHMUS_EXPORT std::int64_t reaper_bytes();
/// Waits until they are at most `bytes` bytes. False if none was released for a second, as when
/// their work waits for something that the caller has yet to do.
ISTHMUS_EXPORT bool wait_for_reaper(std::int64_t bytes);
/// Changes before an address may come to mean other memory: with every allocation that is given
/// back to where it came from.
ISTHMUS_EXPORT std::uint64_t releases() noexcept;
/// Memories that exist now, those that lie idle in pools among them.
ISTHMUS_EXPORT std::int64_t live_memories();

}  // namespace isthmus::inline ISTHMUS_ABI
