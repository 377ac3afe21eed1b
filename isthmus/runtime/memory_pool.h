// memory_pool.h: reuse of freed blocks, per device, context and kind of memory.
#pragma once

#include "isthmus/runtime/backend.h"

namespace isthmus {

/// What a device's pools hold, in bytes.
struct PoolStatistics {
  std::int64_t bytes_in_use = 0;  ///< In blocks that arrays hold, as rounded by the pool.
  std::int64_t bytes_idle = 0;    ///< In freed blocks, kept for reuse.
  std::int64_t peak_bytes = 0;    ///< Most bytes_in_use so far.
  std::int64_t blocks_in_use = 0;
  std::int64_t hits = 0;    ///< Requests that an idle block served.
  std::int64_t misses = 0;  ///< Requests that went to the driver.
  /// Most idle bytes of each pool; freed blocks beyond go back. At first half of the device's
  /// memory; 0: no cap.
  std::int64_t cap_bytes = 0;
};

/// Memory of at least `bytes` bytes in the context of this thread's current queue on the device, or
/// in that of `queue`, and in the device's default kind if none is named. When the driver has no
/// more, idle blocks are given back and it is asked again; then throws out_of_memory, saying who
/// holds how much. Memory comes back to the pool when the last array drops it and the work on it
/// has ended, or is all on one BackendQueue::line: then only who wants it for work on a queue of
/// that line gets it before (`is_for_its_work`: the next that touches it is put on `queue`). Memory
/// of a context which is not the default one stays there only while other memory of the context is
/// in use.
ISTHMUS_EXPORT Ref<Memory> allocate(const Device& device, std::size_t bytes);
ISTHMUS_EXPORT Ref<Memory> allocate(const Device& device, std::size_t bytes, MemoryKind kind);
ISTHMUS_EXPORT Ref<Memory> allocate(const BackendQueue& queue, std::size_t bytes,
                                    bool is_for_its_work = false);

ISTHMUS_EXPORT PoolStatistics pool_statistics(const Device& device);
/// Blocks of all devices' pools that nobody holds; live_memories() counts them, too.
ISTHMUS_EXPORT std::int64_t idle_blocks();
/// Gives idle blocks back to the driver until at most `keep` bytes are idle; how many went.
ISTHMUS_EXPORT std::int64_t pool_trim(const Device& device, std::int64_t keep = 0);
ISTHMUS_EXPORT void pool_set_cap(const Device& device, std::int64_t cap_bytes);

}  // namespace isthmus
