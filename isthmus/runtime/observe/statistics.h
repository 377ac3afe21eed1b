// statistics.h: what happened so far in this process.
#pragma once

#include <cstdint>

#include "isthmus/graph/stop.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Since the process began.
struct Statistics {
  std::int64_t kernels = 0;   ///< Programs run, wherever.
  std::int64_t launched = 0;  ///< ... by a backend, on a queue of its.
  std::int64_t inlined = 0;   ///< ... by the host executor, for a device that is not `cpu`.
  std::int64_t steps = 0;     ///< Operations in them.
  std::int64_t copies = 0;    ///< Transfers between memories.
  std::int64_t stops[static_cast<int>(Stop::count_)] = {};  ///< Why fusion ended, see Stop.
};
/// The numbers of now.
ISTHMUS_EXPORT Statistics statistics();

/// Objects of the library that are alive now.
struct Counters {
  std::int64_t memories = 0;        ///< That somebody holds, or that wait to be released.
  std::int64_t nodes = 0;           ///< Pending operations.
  std::int64_t reaper_backlog = 0;  ///< Memories that were dropped before work on them had ended.
};
/// The numbers of now.
ISTHMUS_EXPORT Counters counters();

}  // namespace isthmus::inline ISTHMUS_ABI
