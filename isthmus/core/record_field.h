// record_field.h: what the fields of structs are.
#pragma once

#include <optional>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// The dtype of a field; nothing for what is no number in this machine's byte order.
ISTHMUS_EXPORT std::optional<DType> dtype_of_field(const RecordType::Field& field);

/// Whether both are structs of the same fields in the same places, though one may be laid out with
/// C's alignment and the other not, as dtypes of NumPy are equal then.
ISTHMUS_EXPORT bool is_same_struct(DType a, DType b);

/// Whether elements of `from` can be written as elements of `to`, as far as structs are concerned.
inline bool can_become(DType from, DType to) {
  return (from.is_builtin() && to.is_builtin()) || is_same_struct(from, to);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
