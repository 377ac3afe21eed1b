// kernel_struct.h: structs that users' kernels name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A struct by the name that it has in a kernel's texts: as the type of parameters, in expressions
/// and in the preamble, before which the library writes its definition.
struct KernelStruct {
  std::string name;  ///< In C.
  DType dtype;       ///< A struct: see struct_dtype().
};
/// Those of one kernel; what is a field of another may stand in front of it or behind.
using KernelStructs = std::vector<KernelStruct>;

/// The dtype of a struct with these fields, at the places that C gives them. Throws TypeError for a
/// struct without fields, ValueError for two fields of one name.
ISTHMUS_EXPORT DType struct_dtype(const std::vector<std::pair<std::string, DType>>& fields);

}  // namespace isthmus::inline ISTHMUS_ABI
