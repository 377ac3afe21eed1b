// singular_values.h: singular values in the name of other functions.
#pragma once

#include <string_view>

#include "isthmus/linalg/factor.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// svdvals(), and svd() without the vectors that have no value.
Array svdvals_for(std::string_view who, const Array& x);
SVD svd_for(std::string_view who, const Array& x);

/// @{
/// matrix_rank() and pinv() with a limit, of which errors speak as of `argument`. It is in units of
/// the largest singular value, unless `is_absolute`.
ISTHMUS_EXPORT Array rank_above(std::string_view argument, const Array& x, const Value& limit,
                                bool is_absolute);
ISTHMUS_EXPORT Array pinv_above(std::string_view argument, const Array& x, const Value& limit);
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
