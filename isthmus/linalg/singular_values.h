// singular_values.h: singular values in the name of other functions.
#pragma once

#include <string_view>

#include "isthmus/linalg/factor.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// svdvals(), and svd() without the vectors that have no value.
Array svdvals_for(std::string_view who, const Array& x);
SVD svd_for(std::string_view who, const Array& x);

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
