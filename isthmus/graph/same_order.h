// same_order.h: values in loops of another shape, whose elements have the same order.
#pragma once

#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether the view shows all elements of a value, each at its place in C order: as a reshape does,
/// or axes of length 1 that come or go.
bool is_same_order(const Layout& value, const Layout& view);

/// Where operand i of a node is read in the node's own loop, but for a number. The position along
/// an axis is a number in a layout, too.
Layout read_layout(const Node& node, int i);

/// Whether a node can be calculated in a loop of this shape, which has as many elements as its own:
/// whether strides show what it reads there.
bool fits_loop(const Node& node, const Dims& loop);

/// What is seen through `layout`, in a loop of a shape that it fits.
inline Layout in_loop(const Layout& layout, const Dims& loop) {
  if (layout.shape == loop) return layout;
  Layout result;
  try_reshape(layout, {loop.begin(), loop.end()}, result);
  return result;
}

}  // namespace isthmus::inline ISTHMUS_ABI
