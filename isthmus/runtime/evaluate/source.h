// source.h: the kernels that an evaluation would run, as text.
#pragma once

#include <span>
#include <string>

#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The text of each kernel that evaluating these together now would launch, in their device's
/// language; in OpenCL C where programs are interpreted. Empty for values that are there.
/// Calculates nothing; may open a driver. Throws the error of a value that failed.
ISTHMUS_EXPORT std::string source_of(std::span<const Ref<Storage>> storages);
/// The same of one.
inline std::string source_of(const Ref<Storage>& storage) {
  return source_of(std::span(&storage, 1));
}

}  // namespace isthmus::inline ISTHMUS_ABI
