// pool.h: statistics and limits of a device's memory pools.
#pragma once

#include <concepts>
#include <cstdint>

#include "isthmus/core/device.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The contents of a device's memory pools.
struct PoolStatistics {
  std::int64_t bytes_in_use = 0;   ///< In blocks held by arrays, as rounded by the pool.
  std::int64_t bytes_idle = 0;     ///< In freed blocks, kept for reuse.
  std::int64_t peak_bytes = 0;     ///< The maximum of bytes_in_use so far.
  std::int64_t blocks_in_use = 0;  ///< The number of blocks held by arrays.
  std::int64_t blocks_idle = 0;    ///< The number of freed blocks that are kept.
  std::int64_t hits = 0;           ///< Requests served by an idle block.
  std::int64_t misses = 0;         ///< Requests passed to the driver.
  /// The maximum of idle bytes in each pool; freed blocks above it go back to the driver. Initially
  /// half of the device's memory; 0: no cap.
  std::int64_t cap_bytes = 0;
};

/// The statistics of all pools of the device. Throws DeviceNotFoundError, BackendUnavailableError.
ISTHMUS_EXPORT PoolStatistics pool_statistics(const Device& device);
/// Returns idle blocks to the driver until at most `keep` bytes are idle; returns the number of
/// bytes freed. Throws ValueError if `keep` is negative.
ISTHMUS_EXPORT std::int64_t trim_pool(const Device& device, std::int64_t keep = 0);
/// Sets the maximum of idle bytes in each pool of the device; 0: no cap. Throws ValueError if
/// negative.
ISTHMUS_EXPORT void set_pool_cap(const Device& device, std::int64_t cap_bytes);
/// @{
/// Does not compile: bytes are integers.
template <std::floating_point T>
std::int64_t trim_pool(const Device&, T) {
  static_assert(sizeof(T) == 0,
                "a number of bytes must be an integer: write static_cast<std::int64_t>(x)");
  return 0;
}
template <std::floating_point T>
void set_pool_cap(const Device&, T) {
  static_assert(sizeof(T) == 0,
                "a number of bytes must be an integer: write static_cast<std::int64_t>(x)");
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
