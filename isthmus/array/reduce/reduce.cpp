// reduce.cpp: reductions and scans to nodes.
#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/array.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/along.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/refuse.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

[[gnu::hot]] Array reduce(Reduction reduction, Array x,
                          std::optional<std::span<const std::int64_t>> axes, Flag keepdims,
                          std::optional<DType> dtype) {
  detail::check_row(reduction);
  const ReductionInfo& row = info(reduction);
  const auto [combined, type, given] = reduction_types(row.name, reduction, x, dtype);
  return detail::combine_along(
      row.name, work::Reduce(combined, {}, type.id, marked(row.name, axes, x.ndim())), std::move(x),
      given, !row.identity.empty(), keepdims);
}

Array mean(Array x, const AxisSet& over, Flag keepdims, std::optional<DType> dtype) {
  check_holds_fractions("mean", x, dtype);
  if (dtype) x = astype(std::move(x), *dtype, false);
  const DType real = mean_dtype(x), wide = summing_dtype(real);
  const auto count = static_cast<double>(count_along("mean", x, over));
  x = astype(std::move(x), wide, false);
  Array sum = reduce(Reduction::sum, std::move(x), over.get(), keepdims, wide);
  return astype(apply(Op::divide, {std::move(sum), count}), real, false);
}

Array scan(Reduction reduction, Array x, OptionalInteger axis, std::optional<DType> dtype) {
  detail::check_row(reduction);
  const std::string_view who = scan_name(reduction);
  check(x.ndim() > 0, Errc::value, "{}: an array without axes; reshape it to (1,)", who);
  check(axis || x.ndim() == 1, Errc::value, "{}: an array of {} needs an axis", who,
        detail::AxisCount(x.ndim()));
  const int along = detail::checked_axis(who, axis.value_or(0), x.ndim());
  const auto [combined, type, given] = reduction_types(who, reduction, x, dtype);
  auto node =
      std::make_unique<Node>(work::Scan(combined, {}, type.id, detail::only_axis(x, along)));
  return detail::work_along(who, std::move(node), std::move(x), given);
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

Array cumulative_sum(Array x, OptionalInteger axis, std::optional<DType> dtype,
                     Flag include_initial) {
  Array scanned = scan(Reduction::sum, std::move(x), axis, dtype);
  return include_initial ? behind_initial(std::move(scanned), 0, axis) : scanned;
}

Array cumulative_prod(Array x, OptionalInteger axis, std::optional<DType> dtype,
                      Flag include_initial) {
  Array scanned = scan(Reduction::prod, std::move(x), axis, dtype);
  return include_initial ? behind_initial(std::move(scanned), 1, axis) : scanned;
}

Array Array::cumsum(OptionalInteger axis, std::optional<DType> dtype) const {
  return cumulative_sum(axis ? *this : isthmus::ravel(*this), axis.value_or(0), dtype);
}

Array Array::cumprod(OptionalInteger axis, std::optional<DType> dtype) const {
  return cumulative_prod(axis ? *this : isthmus::ravel(*this), axis.value_or(0), dtype);
}

Array cumulative_max(Array x, OptionalInteger axis) {
  return scan(Reduction::max, std::move(x), axis, std::nullopt);
}

Array cumulative_min(Array x, OptionalInteger axis) {
  return scan(Reduction::min, std::move(x), axis, std::nullopt);
}

}  // namespace isthmus::inline ISTHMUS_ABI
