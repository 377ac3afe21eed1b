// source.h: the kernels that an evaluation would run, as text.
#pragma once

#include <string>

#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The text of each kernel that evaluating `storage` now would launch, in its device's language;
/// in OpenCL C where programs are interpreted. Empty for a value that is there. Calculates
/// nothing; may open a driver. Throws the error of a value that failed.
ISTHMUS_EXPORT std::string source_of(const Ref<Storage>& storage);

}  // namespace isthmus::inline ISTHMUS_ABI
