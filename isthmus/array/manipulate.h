// manipulate.h: views by shape, and joining.
#pragma once

#include "isthmus/array/create.h"

namespace isthmus {

using Axes = std::span<const std::int64_t>;

/// A view with another shape, one extent of which may be -1; a copy where strides do not allow it
/// or `copy` is true. Throws value if sizes differ, copy_refused if `copy` is false and needed.
ISTHMUS_EXPORT Array reshape(const Array& x, Shape shape, std::optional<bool> copy = {});
/// Views. Axes may be negative; throw index for bad axes and value for repeated ones.
ISTHMUS_EXPORT Array permute_dims(const Array& x, Axes axes);
ISTHMUS_EXPORT Array broadcast_to(const Array& x, Shape shape);  ///< Read-only.
ISTHMUS_EXPORT Array expand_dims(const Array& x, Axes axes);
ISTHMUS_EXPORT Array squeeze(const Array& x, Axes axes);  ///< Throws value if one is not 1 long.
ISTHMUS_EXPORT Array flip(const Array& x, std::optional<Axes> axes);
/// New memory. Throws value if shapes disagree, promotion if dtypes do.
ISTHMUS_EXPORT Array concat(std::span<const Array> arrays, std::optional<std::int64_t> axis);
ISTHMUS_EXPORT Array stack(std::span<const Array> arrays, std::int64_t axis);

}  // namespace isthmus
