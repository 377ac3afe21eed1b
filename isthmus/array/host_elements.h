// host_elements.h: where the host finds the elements of an array.
#pragma once

#include "isthmus/array/array.h"
#include "isthmus/core/memory.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The address of the first element of an evaluated array; null where the host does not reach the
/// memory.
inline char* host_elements(const Array& x) {
  BackendMemory& memory = *x.storage()->memory();
  if (!memory.is_host_accessible()) return nullptr;
  return static_cast<char*>(memory.host) + x.layout().offset * x.dtype().bytes();
}

}  // namespace isthmus::inline ISTHMUS_ABI
