// internal.h: the names of namespace detail that the library itself uses without it.
#pragma once

#include "isthmus/base/checked.h"
#include "isthmus/base/error.h"
#include "isthmus/base/ref.h"
#include "isthmus/base/small_vector.h"
#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::check, detail::fail;
using detail::checked_axis, detail::checked_bytes, detail::checked_count;
using detail::Counted, detail::make_ref, detail::Ref;
using detail::divided_up;
using detail::product_at_most, detail::product_fits, detail::product_of, detail::sum_fits;
using detail::SmallVector;

}  // namespace isthmus::inline ISTHMUS_ABI
