// inverse.h: inverses in the name of other functions.
#pragma once

#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// inv(); of a singular matrix infinities.
Array inverses_or_infinity(std::string_view who, const Array& x);

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
