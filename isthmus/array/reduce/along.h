// along.h: nodes that keep some axes and work along the others.
#pragma once

#include <memory>
#include <string_view>

#include "isthmus/array/array.h"
#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// All elements along the axes of the work as one, of dtype `given`. Its axes stay as ones if
/// `keepdims` says so. Pending. Throws ValueError for no elements to combine, unless `has_identity`
/// says what those are.
Array combine_along(std::string_view who, work::Reduce&& work, Array&& x, DType given,
                    bool has_identity, bool keepdims = false);

/// Throws ValueError where there are results, but no elements along the axes for them.
void check_has_elements(std::string_view who, const Dims& shape, const work::Axes& axes);

/// As many elements as there are, of dtype `given`, for the node of work along an axis. Pending.
Array work_along(std::string_view who, std::unique_ptr<Node> node, Array x, DType given);

/// One axis of `x`, marked.
work::Axes only_axis(const Array& x, int axis);

}  // namespace isthmus::inline ISTHMUS_ABI::detail
