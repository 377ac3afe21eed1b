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
  ReducedShape(const Dims& shape, const SmallVector<bool, 4>& axes) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (!axes[i]) kept.push_back(shape[i]);
      shown.push_back(axes[i] ? 1 : shape[i]);
    }
  }
};

void check_has_elements(std::string_view who, const Dims& shape, const SmallVector<bool, 4>& axes,
                        const Dims& kept) {
  bool is_empty = false;
  for (std::size_t i = 0; i < shape.size(); ++i) is_empty |= axes[i] && shape[i] == 0;
  if (is_empty && checked_count(who, {kept.begin(), kept.end()}) > 0)
    fail(Errc::value, "{}: no elements along the axes of shape {}, and it has no identity", who,
         shape);
}

}  // namespace

Array along_axes(std::string_view who, const AlongWork& work, Array x,
                 const SmallVector<bool, 4>& axes, DType dtype, bool keepdims) {
  const bool is_reduction = work.shape == WorkShape::reduce;
  const Device device = x.device();
  const Dims shape = x.shape();
  const ReducedShape reduced(shape, axes);
  if (is_reduction && !work.has_identity) check_has_elements(who, shape, axes, reduced.kept);
  Layout layout = is_reduction ? row_major({reduced.kept.begin(), reduced.kept.end()})
                               : dense_copy_of(x.layout());
  auto node = std::make_unique<Node>();
  node->shape = work.shape;
  node->reduction = work.reduction;
  node->sorting = work.sorting;
  node->function = work.function;
  node->type = dtype.id;
  node->reduced = axes;
  node->operand_count = 1;
  show(node->operands[0], who, Value::of_released(x), shape);
  node->context = context_for(who, device, *node);
  PendingFacts facts;
  const DType given =
      work.sorting.gives_indices ? DType(TypeId::int64) : work.given.value_or(dtype);
  Ref<Storage> made = make_pending(given, device, std::move(layout), std::move(node), &facts);
  const Array result = settle(std::move(made), facts);
  if (!is_reduction || !keepdims) return result;
  return seen_as(result, row_major({reduced.shown.begin(), reduced.shown.end()}));
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
