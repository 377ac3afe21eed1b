// disk_cache.h: a folder of binaries by key. Trouble with the disk is never an error here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI::disk {

/// A binary that was stored under exactly this key, and `is_rejected` if there was a file of that
/// name that is of no use. Reading makes a binary young again.
struct Found {
  std::optional<std::string> binary;
  bool is_rejected = false;
};
Found find(std::string_view key);

/// Stores a binary; the oldest ones go when the folder is full (ISTHMUS_CACHE_SIZE bytes),
/// an eighth of it at a time.
void store(std::string_view key, std::string_view binary);

/// The binaries of all versions.
struct Contents {
  std::int64_t files = 0, bytes = 0;
};
Contents contents();

/// Removes all binaries, and nothing else.
void clear();

}  // namespace isthmus::inline ISTHMUS_ABI::disk
