// memory_pool.h: reuse of freed blocks, per device, context and kind of memory.
#pragma once

#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/memory/pool.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Memory of at least `bytes` bytes in the context of this thread's current queue on the device, or
/// in that of `queue`, and in the device's default kind if none is named. When the driver has no
/// more, idle blocks are given back and it is asked again; then throws out_of_memory, saying who
/// holds how much. Memory comes back to the pool when the last array drops it and the work on it
/// has ended, or is all on one BackendQueue::timeline: then only who wants it for work on a queue
/// of that timeline gets it before (`is_for_its_work`: the next that touches it is put on `queue`).
/// Where no memory of a user's context is in use, what is idle there is given back when another
/// context gets its first memory.
ISTHMUS_EXPORT Ref<BackendMemory> allocate(const Device& device, std::size_t bytes);
ISTHMUS_EXPORT Ref<BackendMemory> allocate(const Device& device, std::size_t bytes,
                                           MemoryKind kind);
ISTHMUS_EXPORT Ref<BackendMemory> allocate(const BackendQueue& queue, std::size_t bytes,
                                           bool is_for_its_work = false);
/// Memory that the host writes for work on `queue`: in the host's reach where the device has such
/// (BackendMemory::host), without unfinished work.
ISTHMUS_EXPORT Ref<BackendMemory> allocate_for_host(const BackendQueue& queue, std::size_t bytes);

/// Blocks of all devices' pools that nobody holds; live_memories() counts them, too.
ISTHMUS_EXPORT std::int64_t idle_blocks();
}  // namespace isthmus::inline ISTHMUS_ABI
