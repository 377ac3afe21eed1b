// pool.h: what the pools of a device's memory hold, and how much they may keep.
#pragma once

#include <concepts>
#include <cstdint>

#include "isthmus/core/device.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What a device's pools hold, in bytes.
struct PoolStatistics {
  std::int64_t bytes_in_use = 0;   ///< In blocks that arrays hold, as rounded by the pool.
  std::int64_t bytes_idle = 0;     ///< In freed blocks, kept for reuse.
  std::int64_t peak_bytes = 0;     ///< Most bytes_in_use so far.
  std::int64_t blocks_in_use = 0;  ///< How many blocks arrays hold.
  std::int64_t blocks_idle = 0;    ///< How many freed blocks are kept.
  std::int64_t hits = 0;           ///< Requests that an idle block served.
  std::int64_t misses = 0;         ///< Requests that went to the driver.
  /// Most idle bytes of each pool; freed blocks beyond go back. At first half of the device's
  /// memory; 0: no cap.
  std::int64_t cap_bytes = 0;
};

/// Of all pools of the device. Throws DeviceNotFoundError, BackendUnavailableError.
ISTHMUS_EXPORT PoolStatistics pool_statistics(const Device& device);
/// Gives idle blocks back to the driver until at most `keep` bytes are idle; how many went. Throws
/// ValueError if it is negative.
ISTHMUS_EXPORT std::int64_t trim_pool(const Device& device, std::int64_t keep = 0);
/// Most idle bytes that each of the device's pools keeps; 0: no cap. Throws ValueError if negative.
ISTHMUS_EXPORT void set_pool_cap(const Device& device, std::int64_t cap_bytes);
/// @{
/// Does not compile: a fraction of a byte.
template <std::floating_point T>
std::int64_t trim_pool(const Device&, T) {
  static_assert(sizeof(T) == 0, "bytes are counted: write static_cast<std::int64_t>(x)");
  return 0;
}
template <std::floating_point T>
void set_pool_cap(const Device&, T) {
  static_assert(sizeof(T) == 0, "bytes are counted: write static_cast<std::int64_t>(x)");
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
