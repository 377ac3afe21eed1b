// record_field.h: what the fields of structs are.
#pragma once

#include <optional>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// The dtype of a field; nothing for what is no number in this machine's byte order.
ISTHMUS_EXPORT std::optional<DType> dtype_of_field(const RecordType::Field& field);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
