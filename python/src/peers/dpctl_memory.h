// dpctl_memory.h: dpctl's memory objects by the C functions that dpctl has for other extensions.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "isthmus/core/memory.h"

namespace isthmus::python {

/// What such an object would say in its __sycl_usm_array_interface__, and its kind.
struct DpctlMemory {
  void* address = nullptr;
  std::int64_t bytes = 0;
  MemoryKind kind = MemoryKind::unknown;
  std::uintptr_t queue = 0;  ///< The address of a sycl::queue, borrowed.
};

/// Nothing for other objects, for those of derived classes, which may show something else, and for
/// a dpctl that has not these functions.
std::optional<DpctlMemory> dpctl_memory(nanobind::handle object);

/// Whether the object is one, or of a derived class.
bool is_dpctl_memory(nanobind::handle object);

}  // namespace isthmus::python
