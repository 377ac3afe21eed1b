// statistics.h: counters of this process.
#pragma once

#include <cstdint>

#include "isthmus/graph/stop.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Counts since the process began.
struct Statistics {
  std::int64_t kernels = 0;   ///< Kernels run, anywhere.
  std::int64_t launched = 0;  ///< ... by a backend, on one of its queues.
  std::int64_t inlined = 0;   ///< ... by the host executor, for a device that is not `cpu`.
  std::int64_t steps = 0;     ///< Operations in them.
  std::int64_t copies = 0;    ///< Transfers between memories.
  std::int64_t stops[static_cast<int>(Stop::count_)] = {};  ///< Why fusion stopped, see Stop.
};
/// The numbers of now.
ISTHMUS_EXPORT Statistics statistics();

/// Objects of the library that are alive now.
struct Counters {
  std::int64_t memories = 0;        ///< In use, or waiting to be released.
  std::int64_t nodes = 0;           ///< Pending operations.
  std::int64_t reaper_backlog = 0;  ///< Memories dropped before work on them has ended.
};
/// The numbers of now.
ISTHMUS_EXPORT Counters counters();

}  // namespace isthmus::inline ISTHMUS_ABI
