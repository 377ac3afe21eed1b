// field.h: the fields of arrays of structs, as arrays over the same memory.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The field of this name of each struct; the axes of an array field come last. A view: writes to
/// it change the structs. Evaluates x. Throws TypeError for an array without fields, ValueError for
/// an unknown name and for a field that is not aligned to whole elements: its offset and the size
/// of the struct must be multiples of its own size.
ISTHMUS_EXPORT Array field(const Array& x, std::string_view name);

/// The structs with only these fields, at unchanged offsets. A view. Evaluates x. Throws TypeError
/// and ValueError as field() does.
ISTHMUS_EXPORT Array fields(const Array& x, std::span<const std::string> names);

/// The structs reinterpreted as another struct dtype of the same size. A view. Evaluates x. Throws
/// TypeError unless both dtypes are structs, ValueError if sizes differ.
ISTHMUS_EXPORT Array as_struct(const Array& x, DType dtype);

}  // namespace isthmus::inline ISTHMUS_ABI
