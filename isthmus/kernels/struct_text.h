// struct_text.h: structs that users' kernels name, as text.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "isthmus/core/user_function.h"
#include "isthmus/kernels/kernel_struct.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// With definitions in C, each behind those of its fields. Throws ValueError for names that cannot
/// be, TypeError for dtypes that a kernel cannot have.
std::vector<UserStruct> defined(std::string_view who, const KernelStructs& structs);
/// Whether both have the same fields at the same places; NumPy's dtypes can differ in alignment.
bool is_alike(DType a, DType b);
/// The one of such a dtype; null: it has no name.
const UserStruct* find(std::span<const UserStruct> structs, DType dtype);
/// Whether one of its fields, or theirs, is of 64 bits and not whole.
bool has_fp64(DType dtype);
/// Bytes that its address must be a multiple of in C.
std::int64_t c_alignment_of(DType dtype);
bool is_identifier(std::string_view word);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
