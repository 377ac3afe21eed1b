// sort.cpp: sorts to nodes.
#include "isthmus/array/sort.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/place.h"

namespace isthmus::inline ISTHMUS_ABI {

static Array sorted(std::string_view who, Array x, std::int64_t axis, const Sorting& sorting) {
  const DType dtype = x.dtype();
  check(dtype.is_builtin() && dtype.family != Family::complex, Errc::type,
        "{}: does not accept {}; it accepts bool, integers, floats", who, dtype);
  check(x.ndim() > 0, Errc::value, "{}: an array without axes; reshape it to (1,)", who);
  const int along = detail::checked_axis(who, axis, x.ndim());
  auto node = std::make_unique<Node>();
  node->kind = WorkShape::sort;
  node->sorting = sorting;
  node->type = dtype.id;
  node->reduced = detail::SmallVector<bool, 4>(static_cast<std::size_t>(x.ndim()), false);
  node->reduced[static_cast<std::size_t>(along)] = true;
  node->operand_count = 1;
  const Device device = x.device();
  const Dims shape = x.shape();
  Layout layout = dense_copy_of(x.layout());
  detail::show(node->operands[0], who, std::move(x), shape);
  node->context = context_for(who, device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(sorting.gives_indices ? DType(TypeId::int64) : dtype, device,
                                   std::move(layout), std::move(node), &facts);
  return detail::settle(std::move(made), facts);
}

Array sort(Array x, std::int64_t axis, const SortOptions& options) {
  return sorted("sort", std::move(x), axis, {options.descending, false});
}

Array argsort(Array x, std::int64_t axis, const SortOptions& options) {
  return sorted("argsort", std::move(x), axis, {options.descending, true});
}

}  // namespace isthmus::inline ISTHMUS_ABI
