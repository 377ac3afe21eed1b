// along.h: nodes that keep some axes and work along the others.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/array.h"
#include "isthmus/core/internal.h"
#include "isthmus/core/ops.h"
#include "isthmus/core/user_function.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// What is done along the axes.
struct AlongWork {
  WorkShape shape = WorkShape::reduce;
  Reduction reduction = Reduction::sum;
  Sorting sorting;
  UserFunctionRef function;    ///< A user's combination, in the place of `reduction`.
  bool has_identity = true;    ///< What no elements are combined to.
  std::optional<DType> given;  ///< The dtype of the result, if not that of the elements.
};

/// The work along the axes that are marked, on elements cast to `dtype`, which the result has, too,
/// but where indices are given. A reduction keeps its axes as ones if `keepdims` says so. Pending.
/// Throws ValueError for no elements to combine.
Array along_axes(std::string_view who, const AlongWork& work, Array x,
                 const SmallVector<bool, 4>& axes, DType dtype, bool keepdims = false);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
