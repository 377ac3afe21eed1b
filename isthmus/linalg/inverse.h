// inverse.h: inverses in the name of other functions.
#pragma once

#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// inv(), and the same with infinities for a singular matrix.
Array inverses_for(std::string_view who, const Array& x);
Array inverses_or_infinity(std::string_view who, const Array& x);

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
