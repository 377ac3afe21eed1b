// blocks.h: what the null devices allocate, and where it really lies.
#pragma once

#include "isthmus/backend/null/objects.h"
#include "isthmus/core/memory.h"
#include "isthmus/runtime/backend.h"

namespace isthmus::null {

/// New memory of a device. That of `discrete` has addresses that nobody can touch: to read or write
/// there is a fault. That of `recording` has a number for a handle, and no bytes at all.
Ref<BackendMemory> allocate(const Ref<BackendContext>& context, int device, std::size_t bytes,
                            MemoryKind kind);

/// The kind of memory that a device has.
MemoryKind kind_of(int device);

/// What is known of an address: our own allocations.
PointerInfo query(std::uintptr_t address);

/// Where the host finds `bytes` bytes that begin at the address or handle. Throws launch if they
/// are not within one allocation that is alive.
char* translate(std::uintptr_t address, std::size_t bytes);

}  // namespace isthmus::null
