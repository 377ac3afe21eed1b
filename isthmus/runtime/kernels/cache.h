// cache.h: the cache of built kernels.
#pragma once

#include <cstdint>
#include <string>

#include "isthmus/base/export.h"

/// The cache of built kernels, in memory and on disk.
namespace isthmus::inline ISTHMUS_ABI::cache {

/// The contents of the cache on disk, and its use by this process.
struct Info {
  std::string folder;             ///< Of this version of the library; empty if the cache is off.
  std::int64_t files = 0;         ///< Of all versions.
  std::int64_t nbytes = 0;        ///< In these.
  std::int64_t limit_nbytes = 0;  ///< The oldest are removed above it: ISTHMUS_CACHE_SIZE.
  std::int64_t hits = 0;          ///< Of this process: found in memory.
  std::int64_t disk_hits = 0;     ///< Loaded from disk.
  std::int64_t compiled = 0;      ///< Built.
  std::int64_t rejected = 0;      ///< Unusable files, built again.
};
/// The location and size of the cache, and its use by this process. Waits for the disk.
ISTHMUS_EXPORT Info info();
/// Removes kernels from memory and, if `disk`, those of all versions from disk. With
/// ISTHMUS_CACHE=ro those on disk stay. Waits for the disk.
ISTHMUS_EXPORT void clear(bool disk = true);

}  // namespace isthmus::inline ISTHMUS_ABI::cache
