// alone.h: what small operations and small writes without a plan have in common.
#pragma once

#include "isthmus/graph/node.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/run_here.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Up to here the work is done before another thread could have taken the lock.
inline constexpr std::int64_t few_elements = 64;

/// Whether the host does so much of a device's work itself, if it reaches the memory.
inline bool is_done_here(const Device& device, std::int64_t count) {
  return device.is_host() || is_inline(count);
}

/// Where a profile says that such work ran.
inline KernelRecord::Where place_of(const Device& device) {
  return device.is_host() ? KernelRecord::Where::host : KernelRecord::Where::inlined;
}

/// Where the host sees the first element of a value that is there.
inline const void* address_of(const Operand& operand) {
  return static_cast<const char*>(operand.storage->memory()->host) +
         operand.seen().offset * operand.storage->dtype.bytes();
}

}  // namespace isthmus::inline ISTHMUS_ABI
