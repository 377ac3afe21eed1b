// queues.h: where each thread puts its work, and which queues have some.
#pragma once

#include "isthmus/runtime/backend.h"

namespace isthmus {

/// This thread's current queue on a device: the backend's default one unless set. New memory of
/// this thread is of the queue's context.
ISTHMUS_EXPORT Ref<Queue> current_queue(const Device& device);
ISTHMUS_EXPORT void set_current_queue(const Device& device, Ref<Queue> queue);

/// Throws device_mismatch, naming both contexts, for memory that work on the queue cannot reach.
ISTHMUS_EXPORT void check_context(const Queue& queue, const Memory& memory);

/// After work was put on a queue: synchronize() waits for it, and the queue is kept until the work
/// has ended.
ISTHMUS_EXPORT void note_work(const Ref<Queue>& queue);

/// Blocks until all work that was put on any queue of the device, by any thread, has ended. Errors
/// of the work stay with the arrays that it was for.
ISTHMUS_EXPORT void synchronize(const Device& device);

}  // namespace isthmus
