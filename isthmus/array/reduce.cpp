// reduce.cpp: reductions and scans to nodes.
#include "isthmus/array/apply.h"
#include "isthmus/array/array.h"
#include "isthmus/array/literal.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/array/place.h"
#include "isthmus/array/refuse.h"
#include "isthmus/array/scan.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

SmallVector<bool, 4> axes_mask(std::string_view who, int ndim,
                               std::optional<std::span<const std::int64_t>> axes) {
  SmallVector<bool, 4> mask(static_cast<std::size_t>(ndim), !axes);
  if (!axes) return mask;
  for (std::int64_t axis : *axes) {
    bool& marked = mask[static_cast<std::size_t>(checked_axis(who, axis, ndim))];
    check(!marked, Errc::value, "{}: axis {} is repeated", who, axis);
    marked = true;
  }
  return mask;
}

DType accumulator(const ReductionInfo& row, DType dtype) {
  if (row.rule == AccumulateRule::boolean) return TypeId::bool_;
  if (row.rule == AccumulateRule::same) return dtype;
  switch (dtype.family) {
    case Family::boolean:
    case Family::integer: return TypeId::int64;
    case Family::natural: return TypeId::uint64;
    default: return dtype;
  }
}

}  // namespace

Array reduce(Reduction reduction, Array x, std::optional<std::span<const std::int64_t>> axes,
             bool keepdims, std::optional<DType> dtype) {
  const ReductionInfo& row = info(reduction);
  if (!x.dtype().is_builtin()) refuse_dtype(row, x.dtype());
  const DType type = dtype.value_or(accumulator(row, x.dtype()));
  if (!row.accepts(type.family)) refuse_dtype(row, type);
  if (row.rule != AccumulateRule::boolean) check_cast(row.name, x.dtype(), type);
  check(has_dtype(x.device(), type), Errc::type, "{}: {} has no {}; use float32", row.name,
        x.device(), type);
  const auto mask = axes_mask(row.name, x.ndim(), axes);
  Dims kept, shown;
  bool is_empty = false;
  for (int i = 0; i < x.ndim(); ++i) {
    if (mask[i] && x.shape()[i] == 0) is_empty = true;
    if (!mask[i]) kept.push_back(x.shape()[i]);
    if (!mask[i] || keepdims) shown.push_back(mask[i] ? 1 : x.shape()[i]);
  }
  if (is_empty && row.identity.empty() && checked_count(row.name, {kept.begin(), kept.end()}) > 0)
    fail(Errc::value, "{}: no elements along the axes of shape {}, and it has no identity",
         row.name, x.shape());
  auto node = std::make_unique<Node>();
  node->shape = WorkShape::reduce;
  node->reduction = reduction;
  node->type = type.id;
  node->reduced = mask;
  node->operand_count = 1;
  const Device device = x.device();
  const Dims& shape = x.shape();
  detail::show(node->operands[0], row.name, std::move(x), shape);
  node->context = context_for(row.name, device, *node);
  PendingFacts facts;
  Ref<Storage> made =
      make_pending(type, device, row_major({kept.begin(), kept.end()}), std::move(node), &facts);
  const Array result = detail::settle(std::move(made), facts);
  return keepdims ? result.view(row_major({shown.begin(), shown.end()})) : result;
}

Array mean(Array x, const AxisSet& over, bool keepdims, std::optional<DType> dtype) {
  check(!dtype || dtype->family == Family::real || dtype->family == Family::complex, Errc::type,
        "mean: dtype: {} holds no fractions; a float or complex dtype does",
        dtype.value_or(DType()));
  if (dtype) x = astype(std::move(x), *dtype, false);
  const auto axes = over.get();
  const DType real = x.dtype().family == Family::real || x.dtype().family == Family::complex
                         ? x.dtype()
                         : default_real(x.device());
  const auto mask = axes_mask("mean", x.ndim(), axes);
  Dims reduced;
  for (int i = 0; i < x.ndim(); ++i)
    if (mask[i]) reduced.push_back(x.shape()[i]);
  const std::int64_t count = product_of({reduced.begin(), reduced.end()});
  // a sum in half precision could overflow where the mean does not
  const bool is_half = real.family == Family::real && real.lane_bits == 16;
  const DType wide = is_half ? DType(TypeId::float32) : real;
  x = astype(std::move(x), wide, false);
  Array sum = reduce(Reduction::sum, std::move(x), axes, keepdims, wide);
  return astype(apply(Op::divide, {std::move(sum), static_cast<double>(count)}), real, false);
}

/// Throws type unless the row takes the dtype, and the device has it.
static void check_row(std::string_view who, const ReductionInfo& row, const Array& x, DType type) {
  if (!x.dtype().is_builtin() || !row.accepts(type.family))
    fail(Errc::type, "{}: does not accept {}{}", who, x.dtype().is_builtin() ? type : x.dtype(),
         accepted_by(row));
  check_cast(who, x.dtype(), type);
  check(has_dtype(x.device(), type), Errc::type, "{}: {} has no {}; use float32", who, x.device(),
        type);
}

Array scan(Reduction reduction, Array x, std::optional<std::int64_t> axis,
           std::optional<DType> dtype) {
  const ReductionInfo& row = info(reduction);
  const std::string_view who = scan_name(reduction);
  check(x.ndim() > 0, Errc::value, "{}: an array without axes; reshape it to (1,)", who);
  check(axis || x.ndim() == 1, Errc::value, "{}: an array of {} axes needs an axis", who, x.ndim());
  const int along = detail::checked_axis(who, axis.value_or(0), x.ndim());
  const DType type = dtype.value_or(accumulator(row, x.dtype()));
  check_row(who, row, x, type);
  auto node = std::make_unique<Node>();
  node->shape = WorkShape::scan;
  node->reduction = reduction;
  node->type = type.id;
  node->reduced = SmallVector<bool, 4>(static_cast<std::size_t>(x.ndim()), false);
  node->reduced[static_cast<std::size_t>(along)] = true;
  node->operand_count = 1;
  const Device device = x.device();
  const Dims shape = x.shape();
  Layout layout = dense_copy_of(x.layout());
  detail::show(node->operands[0], who, std::move(x), shape);
  node->context = context_for(who, device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(type, device, std::move(layout), std::move(node), &facts);
  return detail::settle(std::move(made), facts);
}

/// The elements behind one of `identity`.
static Array behind_initial(Array scanned, const Value& identity,
                            std::optional<std::int64_t> axis) {
  const int along = detail::checked_axis("include_initial", axis.value_or(0), scanned.ndim());
  Dims shape = scanned.shape();
  shape[static_cast<std::size_t>(along)] = 1;
  const InContextOf meanwhile(scanned);
  const Array first = full(shape, identity, scanned.dtype(), scanned.device());
  return concat({first, scanned}, along);
}

Array cumulative_sum(Array x, std::optional<std::int64_t> axis, std::optional<DType> dtype,
                     bool include_initial) {
  Array scanned = scan(Reduction::sum, std::move(x), axis, dtype);
  return include_initial ? behind_initial(std::move(scanned), 0, axis) : scanned;
}

Array cumulative_prod(Array x, std::optional<std::int64_t> axis, std::optional<DType> dtype,
                      bool include_initial) {
  Array scanned = scan(Reduction::prod, std::move(x), axis, dtype);
  return include_initial ? behind_initial(std::move(scanned), 1, axis) : scanned;
}

Array Array::cumsum(std::optional<std::int64_t> axis, std::optional<DType> dtype) const {
  return cumulative_sum(axis ? *this : isthmus::ravel(*this), axis.value_or(0), dtype);
}

Array Array::cumprod(std::optional<std::int64_t> axis, std::optional<DType> dtype) const {
  return cumulative_prod(axis ? *this : isthmus::ravel(*this), axis.value_or(0), dtype);
}

Array cumulative_max(Array x, std::optional<std::int64_t> axis) {
  return scan(Reduction::max, std::move(x), axis, std::nullopt);
}

Array cumulative_min(Array x, std::optional<std::int64_t> axis) {
  return scan(Reduction::min, std::move(x), axis, std::nullopt);
}

}  // namespace isthmus::inline ISTHMUS_ABI
