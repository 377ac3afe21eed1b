// kernel_struct.h: structs in user-defined kernels.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A struct and its name in the code of a kernel: as the type of parameters, in expressions and in
/// the preamble. The library writes its definition before the preamble.
struct KernelStruct {
  std::string name;  ///< In C.
  DType dtype;       ///< A struct: see struct_dtype().
};
/// The structs of one kernel, in any order, even if one is a field of another.
using KernelStructs = std::vector<KernelStruct>;

/// The dtype of a struct with these fields, laid out as in C. Throws TypeError for a struct without
/// fields, ValueError for two fields of the same name.
ISTHMUS_EXPORT DType struct_dtype(const std::vector<std::pair<std::string, DType>>& fields);

}  // namespace isthmus::inline ISTHMUS_ABI
