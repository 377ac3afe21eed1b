// memory.h: USM by SYCL's own allocator.
#pragma once

#include "isthmus/backend/sycl/objects.h"

namespace isthmus::sycl_usm {

/// Throws out_of_memory, or value for a kind that the device has not.
Ref<BackendMemory> allocate(const Ref<BackendContext>& context, std::size_t bytes, MemoryKind kind);
PointerInfo query(SyclContext& context, std::uintptr_t address);
bool can_adopt(const SyclContext& context, const BackendMemory& memory);

}  // namespace isthmus::sycl_usm
