// cache.h: the kernels that are kept, so that they need not be built again.
#pragma once

#include <cstdint>
#include <string>

#include "isthmus/base/export.h"

/// The kernels that are kept, in memory and on disk.
namespace isthmus::inline ISTHMUS_ABI::cache {

/// What is kept on disk, and what this process found there.
struct Info {
  std::string folder;             ///< Of this version of the library; empty if the cache is off.
  std::int64_t files = 0;         ///< Of all versions.
  std::int64_t nbytes = 0;        ///< In these.
  std::int64_t limit_nbytes = 0;  ///< The oldest go when there is more: ISTHMUS_CACHE_SIZE.
  std::int64_t hits = 0;          ///< Of this process: found in memory.
  std::int64_t disk_hits = 0;     ///< Loaded from disk.
  std::int64_t compiled = 0;      ///< Built.
  std::int64_t rejected = 0;      ///< Files of no use, made anew.
};
/// Where kernels are kept, how much there is, and what this process found. Waits for the disk.
ISTHMUS_EXPORT Info info();
/// Forgets kernels in memory and, if `disk`, those on disk of all versions. With ISTHMUS_CACHE=ro
/// those on disk stay. Waits for the disk.
ISTHMUS_EXPORT void clear(bool disk = true);

}  // namespace isthmus::inline ISTHMUS_ABI::cache
