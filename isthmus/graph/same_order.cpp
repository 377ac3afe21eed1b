// same_order.cpp: which layouts can be seen in another shape.
#include "isthmus/graph/same_order.h"

namespace isthmus::inline ISTHMUS_ABI {

static bool has_strides(const Layout& layout, const Dims& loop) {
  Layout seen;
  return layout.shape == loop || try_reshape(layout, {loop.begin(), loop.end()}, seen);
}

bool is_same_order(const Layout& value, const Layout& view) {
  const std::int64_t count = value.count();
  if (view.count() != count) return false;
  if (count == 0) return true;
  Layout seen;
  if (!try_reshape(value, {view.shape.begin(), view.shape.end()}, seen)) return false;
  bool is_same = seen.offset == view.offset;
  for (std::size_t i = 0; i < view.shape.size(); ++i)
    is_same = is_same && (view.shape[i] == 1 || seen.strides[i] == view.strides[i]);
  return is_same;
}

Layout read_layout(const Node& node, int i) {
  const Operand& operand = node.operands[static_cast<std::size_t>(i)];
  if (operand.kind == Operand::Kind::storage || operand.layout) return operand.seen();
  const Dims& shape = node.storage->layout.shape;
  Layout along{shape, Dims(shape.size(), 0), 0};
  along.strides[operand.axis] = 1;
  return along;
}

bool fits_loop(const Node& node, const Dims& loop) {
  for (int i = 0; i < node.operand_count; ++i) {
    const bool is_anywhere = node.ask([i](const auto& work) { return work.reads_anywhere(i); });
    const bool is_number = node.operands[static_cast<std::size_t>(i)].kind == Operand::Kind::scalar;
    if (!is_anywhere && !is_number && !has_strides(read_layout(node, i), loop)) return false;
  }
  return true;
}

}  // namespace isthmus::inline ISTHMUS_ABI
