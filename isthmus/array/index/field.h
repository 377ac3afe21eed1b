// field.h: the fields of arrays of structs, as arrays over the same memory.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The field of that name of each struct; the axes of a field that is an array come last. A view:
/// what is written to it is written to the structs. Evaluates x. Throws TypeError for an array
/// without fields, ValueError for another name and where the field does not fall on whole elements:
/// its offset and the struct's size must be multiples of its own size.
ISTHMUS_EXPORT Array field(const Array& x, std::string_view name);

/// The structs with these fields alone, each where it was. A view. Evaluates x. Throws TypeError
/// and ValueError as field() does.
ISTHMUS_EXPORT Array fields(const Array& x, std::span<const std::string> names);

/// The structs as other ones of as many bytes. A view. Evaluates x. Throws TypeError where either
/// is no struct, ValueError if sizes differ.
ISTHMUS_EXPORT Array as_struct(const Array& x, DType dtype);

}  // namespace isthmus::inline ISTHMUS_ABI
