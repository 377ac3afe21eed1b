// along.cpp: nodes that keep some axes and work along the others.
#include "isthmus/array/reduce/along.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/place.h"
#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

Dims kept_of(const Dims& shape, const work::Axes& axes) {
  Dims kept;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!axes[i]) kept.push_back(shape[i]);
  return kept;
}

/// The extents with 1 in the place of each axis that went.
Dims shown_of(const Dims& shape, const work::Axes& axes) {
  Dims shown;
  for (std::size_t i = 0; i < shape.size(); ++i) shown.push_back(axes[i] ? 1 : shape[i]);
  return shown;
}

Layout dense(const Dims& shape) { return row_major({shape.begin(), shape.end()}); }

[[gnu::hot]] Array settled(std::string_view who, std::unique_ptr<Node> node, Array&& x, DType given,
                           Layout&& layout) {
  const Device device = x.device();
  node->operand_count = std::max(node->operand_count, 1);  // numbers may follow
  show_all(node->operands[0], std::move(x));
  node->context = context_for(who, device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(given, device, std::move(layout), std::move(node), &facts);
  return settle(std::move(made), facts);
}

}  // namespace

void check_has_elements(std::string_view who, const Dims& shape, const work::Axes& axes) {
  bool is_empty = false;
  for (std::size_t i = 0; i < shape.size(); ++i) is_empty |= axes[i] && shape[i] == 0;
  const Dims kept = is_empty ? kept_of(shape, axes) : Dims();
  if (is_empty && checked_count(who, {kept.begin(), kept.end()}) > 0)
    fail(Errc::value,
         "{}: no elements along the axes of shape {}, and the reduction has no identity", who,
         shape);
}

[[gnu::hot]] Array combine_along(std::string_view who, work::Reduce&& work, Array&& x, DType given,
                                 bool has_identity, bool keepdims) {
  const Dims kept = kept_of(x.shape(), work.axes);
  if (!has_identity) check_has_elements(who, x.shape(), work.axes);
  const auto combined = [&] {
    auto node = std::make_unique<Node>(std::move(work));
    return settled(who, std::move(node), std::move(x), given, dense(kept));
  };
  if (!keepdims) return combined();
  Layout shown = dense(shown_of(x.shape(), work.axes));
  return seen_as(combined(), std::move(shown));
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
