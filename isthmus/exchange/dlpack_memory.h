// dlpack_memory.h: tensors whose end is not their deleter alone, and the backends of tensors.
#pragma once

#include "isthmus/core/memory.h"
#include "isthmus/exchange/dlpack.h"
#include "isthmus/runtime/backend.h"

namespace isthmus::inline ISTHMUS_ABI {

/// As from_dlpack(), but `release` ends the tensor, which is the memory's owner.
ISTHMUS_EXPORT Array from_dlpack(dlpack::DLManagedTensorVersioned* tensor,
                                 const DlpackImport& import, BackendMemory::Release release);
ISTHMUS_EXPORT Array from_dlpack(dlpack::DLManagedTensor* tensor, const DlpackImport& import,
                                 BackendMemory::Release release);

/// The backend whose devices have this type in DLPack, or null. May load backends.
ISTHMUS_EXPORT Backend* dlpack_backend(dlpack::DLDeviceType type);

}  // namespace isthmus::inline ISTHMUS_ABI
