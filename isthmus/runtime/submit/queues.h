// queues.h: where each thread puts its work, and which queues have some.
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/submit/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// This thread's current queue on a device: the one that was set, else that of a host language's
/// own scopes (set_queue_hook), else the backend's default one. New memory of this thread is of
/// the queue's context.
ISTHMUS_EXPORT Ref<BackendQueue> current_backend_queue(const Device& device);
/// The queue that OnQueue scopes do not cover; returns the one that was set before. Null: none.
ISTHMUS_EXPORT Ref<BackendQueue> set_current_queue(const Device& device, Ref<BackendQueue> queue);
/// Sets a queue until the flag is set, on any thread.
std::shared_ptr<std::atomic<bool>> begin_on_queue(const Device& device, Ref<BackendQueue> queue);
/// Drops the queues of this thread whose flags are set; those of other threads stay until these
/// ask for their queue.
void forget_ended_queues(const Device& device) noexcept;
/// A host language's scopes, such as Python's `with queue:`. Asked on any thread, perhaps under
/// locks; null: no scope says.
using QueueHook = Ref<BackendQueue> (*)(const Device& device);
ISTHMUS_EXPORT void set_queue_hook(QueueHook hook);

/// Throws device_mismatch, naming both contexts, for memory that work on the queue cannot reach.
ISTHMUS_EXPORT void check_context(const BackendQueue& queue, const BackendMemory& memory);

/// `wanted`, or where it does not reach the memory of a user's context, our own queue of that one.
/// Whether it reaches the rest is for check_context to say.
ISTHMUS_EXPORT Ref<BackendQueue> queue_reaching(Ref<BackendQueue> wanted,
                                                std::span<BackendMemory* const> memories);
/// This thread's current queue where it is of the context, else our own of that one; null: of the
/// device's default context.
ISTHMUS_EXPORT Ref<BackendQueue> queue_in(const Ref<BackendContext>& context, const Device& device);
/// Our own queue of a context, in order: the device's, or one made when it is first asked for.
ISTHMUS_EXPORT Ref<BackendQueue> own_queue(const Ref<BackendContext>& context);

/// After work was put on a queue: synchronize() waits for it, and the queue is kept until the work
/// has ended.
ISTHMUS_EXPORT void note_work(const Ref<BackendQueue>& queue);
/// The same, where the work is ours: about so many `operations`, behind `event`. Needs
/// BackendQueue::order. What falls out is moved to `trash`, to be dropped without locks. Returns
/// what throttle takes: every 1024 launches, the event from 1024 launches earlier, else null; where
/// the process ends, `event` itself.
[[nodiscard]] ISTHMUS_EXPORT Ref<Event> note_work(const Ref<BackendQueue>& queue,
                                                  const Ref<Event>& event, std::int64_t operations,
                                                  Events& trash);
/// A driver keeps what it has not run yet, without a limit. A program that never waits is held up
/// here, when it is some thousand launches ahead; for a second at most (ten where the process
/// ends), since what the queue waits for may be our caller's to do.
ISTHMUS_EXPORT void throttle(const Ref<Event>& milestone) noexcept;

/// Element operations, about a millisecond of them, from which on work is long: the host lets
/// others run meanwhile.
inline constexpr std::int64_t long_work = 1 << 20;
/// Element operations on a queue, milliseconds of them and a tenth of a second where they are slow,
/// whose wait nothing interrupts: our thread waits in the driver itself, and does a part of the
/// work there if the driver is Intel's. To have another thread wait takes 90 us.
inline constexpr std::int64_t brief_work = 1 << 24;

/// As Queue::synchronize().
ISTHMUS_EXPORT void synchronize(BackendQueue& queue);
/// An event behind all that was put on each queue of all devices. Without those of drivers that
/// refuse a barrier, which have nothing that could be waited for.
ISTHMUS_EXPORT Events ends_of_all_work();

}  // namespace isthmus::inline ISTHMUS_ABI
