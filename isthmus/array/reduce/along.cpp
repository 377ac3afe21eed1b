// along.cpp: nodes that keep some axes and work along the others.
#include "isthmus/array/reduce/along.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/place.h"
#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// Extents of the result, and as `keepdims` shows them.
struct ReducedShape {
  Dims kept, shown;
  ReducedShape(const Dims& shape, const work::Axes& axes) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (!axes[i]) kept.push_back(shape[i]);
      shown.push_back(axes[i] ? 1 : shape[i]);
    }
  }
};

void check_has_elements(std::string_view who, const Dims& shape, const work::Axes& axes,
                        const Dims& kept) {
  bool is_empty = false;
  for (std::size_t i = 0; i < shape.size(); ++i) is_empty |= axes[i] && shape[i] == 0;
  if (is_empty && checked_count(who, {kept.begin(), kept.end()}) > 0)
    fail(Errc::value, "{}: no elements along the axes of shape {}, and it has no identity", who,
         shape);
}

Array settled(std::string_view who, std::unique_ptr<Node> node, Array x, DType given,
              Layout layout) {
  const Device device = x.device();
  const Dims shape = x.shape();
  node->operand_count = 1;
  show(node->operands[0], who, Value::of_released(x), shape);
  node->context = context_for(who, device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(given, device, std::move(layout), std::move(node), &facts);
  return settle(std::move(made), facts);
}

}  // namespace

Array combine_along(std::string_view who, work::Reduce work, Array x, DType given,
                    bool has_identity, bool keepdims) {
  const ReducedShape reduced(x.shape(), work.axes);
  if (!has_identity) check_has_elements(who, x.shape(), work.axes, reduced.kept);
  const Array result = settled(who, std::make_unique<Node>(std::move(work)), std::move(x), given,
                               row_major({reduced.kept.begin(), reduced.kept.end()}));
  if (!keepdims) return result;
  return seen_as(result, row_major({reduced.shown.begin(), reduced.shown.end()}));
}

Array work_along(std::string_view who, std::unique_ptr<Node> node, Array x, DType given) {
  Layout layout = dense_copy_of(x.layout());
  return settled(who, std::move(node), std::move(x), given, std::move(layout));
}

work::Axes only_axis(const Array& x, int axis) {
  work::Axes axes(static_cast<std::size_t>(x.ndim()), false);
  axes[static_cast<std::size_t>(axis)] = true;
  return axes;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
