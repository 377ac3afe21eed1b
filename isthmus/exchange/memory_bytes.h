// memory_bytes.h: memory as arrays of bytes, which memory objects of every language stand on.
#pragma once

#include "isthmus/exchange/memory.h"
#include "isthmus/exchange/share.h"

namespace isthmus::inline ISTHMUS_ABI {

/// New bytes; `queue` is where others put work on them.
ISTHMUS_EXPORT Array allocate_bytes(std::int64_t bytes, std::int64_t alignment,
                                    const Ref<BackendQueue>& queue, std::optional<MemoryKind> kind);
/// The bytes that an array spans, or all of its allocation that is known.
ISTHMUS_EXPORT Array bytes_of(const Array& array, bool is_whole);
/// An array over bytes. Throws as from_memory() does.
ISTHMUS_EXPORT Array over_bytes(const Array& bytes, const Dims& shape, DType dtype,
                                const std::optional<Dims>& strides, std::int64_t offset);
/// The address of the first element, or the buffer's handle. Evaluates the array.
ISTHMUS_EXPORT std::uintptr_t address_of(const Array& array);
/// The context of an array's memory, the device's default one where it has none. Evaluates it.
ISTHMUS_EXPORT Ref<BackendContext> memory_context(const Array& array);
/// The queue that the memory came with, else this thread's; of a pending array that where it would
/// be calculated.
ISTHMUS_EXPORT Ref<BackendQueue> memory_queue(const Array& array);

}  // namespace isthmus::inline ISTHMUS_ABI
