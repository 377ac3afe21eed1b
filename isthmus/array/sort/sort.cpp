// sort.cpp: sorts to nodes, and what is made of stable sorts.
#include "isthmus/array/sort/sort.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/along.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/sort/rows.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// The axis; throws unless the array can be put in order along it.
int sortable_axis(std::string_view who, const Array& x, std::int64_t axis) {
  check_has_numbers(who, x);
  check(x.ndim() > 0, Errc::value, "{}: an array without axes; reshape it to (1,)", who);
  return detail::checked_axis(who, axis, x.ndim());
}

Array order_of(std::string_view who, const detail::Rows& rows, bool is_descending) {
  std::vector<detail::Key> keys;
  detail::append_keys(keys, rows.all, is_descending);
  return detail::argsort_rows(who, keys);
}

/// In order at some places; without any at all of them.
Array sorted(std::string_view who, Array x, OptionalInteger axis, Sorting sorting,
             std::span<const std::int64_t> places = {}) {
  if (!axis) return sorted(who, ravel(x), -1, sorting, places);
  const DType dtype = x.dtype();
  const int along = sortable_axis(who, x, *axis);
  if (dtype.family == Family::complex) {
    const detail::Rows rows(x, along);
    const Array order = order_of(who, rows, sorting.is_descending);
    return rows.back(sorting.gives_indices ? order : detail::pick(who, rows.all, order));
  }
  // other devices sort, by one kernel for all, as the host does for many places
  if (!x.device().is_host() || places.size() > Sorting::most_places) places = {};
  sorting.is_partial = !places.empty();
  auto node = std::make_unique<Node>(work::Sort(sorting, detail::only_axis(x, along)));
  node->operands.reserve(1 + places.size());
  node->operand_count = static_cast<std::int32_t>(1 + places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    node->operands[1 + i].kind = Operand::Kind::scalar;
    node->operands[1 + i].scalar = Scalar::of(places[i]);
  }
  return detail::work_along(who, std::move(node), std::move(x),
                            sorting.gives_indices ? DType(TypeId::int64) : dtype);
}

/// The same about some indices, which may be in any order.
Array partitioned(std::string_view who, const Array& x, const Axes& kth, OptionalInteger axis,
                  const Sorting& sorting) {
  if (!axis) return partitioned(who, ravel(x), kth, -1, sorting);
  const std::int64_t length = x.shape(sortable_axis(who, x, *axis));
  std::vector<std::int64_t> places;
  for (const std::int64_t index : kth) {
    check(index >= -length && index < length, Errc::index,
          "{}: kth: index {} is out of bounds for an axis of length {}", who, index, length);
    places.push_back(index < 0 ? index + length : index);
  }
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return sorted(who, x, axis, sorting, places);
}

}  // namespace

Array sort(Array x, OptionalInteger axis, const SortOptions& options) {
  return sorted("sort", std::move(x), axis, {options.descending, false});
}

Array argsort(Array x, OptionalInteger axis, const SortOptions& options) {
  return sorted("argsort", std::move(x), axis, {options.descending, true});
}

Array Array::argsort(OptionalInteger axis) const& { return isthmus::argsort(*this, axis); }
Array Array::argsort(OptionalInteger axis) && { return isthmus::argsort(std::move(*this), axis); }
Array Array::argsort(OptionalInteger axis, const SortOptions& options) const {
  return isthmus::argsort(*this, axis, options);
}
void Array::sort(AnyInteger axis) const { sort(axis, {}); }
void Array::sort(AnyInteger axis, const SortOptions& options) const {
  detail::assign_for("sort", *this, isthmus::sort(*this, axis, options));
}
void Array::partition(const Axes& kth, AnyInteger axis) const {
  detail::assign_for("partition", *this, isthmus::partition(*this, kth, axis));
}
Array Array::argpartition(const Axes& kth, AnyInteger axis) const {
  return isthmus::argpartition(*this, kth, axis);
}

Array lexsort(std::span<const Array> keys, AnyInteger axis) {
  check(!keys.empty(), Errc::value, "lexsort: no keys; one or more are needed");
  std::vector<detail::Key> all;
  std::optional<detail::Rows> first;
  for (std::size_t i = keys.size(); i-- > 0;) {
    const Array& key = keys[i];
    check(key.shape() == keys[0].shape(), Errc::value,
          "lexsort: keys of shapes {} and {}; all must have the same shape", keys[0].shape(),
          key.shape());
    check(key.device() == keys[0].device(), Errc::device_mismatch,
          "lexsort: keys on {} and {}; move one with to_device", keys[0].device(), key.device());
    const detail::Rows rows(key, sortable_axis("lexsort", key, axis));
    detail::append_keys(all, rows.all, false);
    if (!first) first = rows;
  }
  return first->back(detail::argsort_rows("lexsort", all));
}

Array partition(const Array& x, const Axes& kth, OptionalInteger axis) {
  return partitioned("partition", x, kth, axis, {false, false});
}

Array argpartition(const Array& x, const Axes& kth, OptionalInteger axis) {
  return partitioned("argpartition", x, kth, axis, {false, true});
}

TopK topk(const Array& x, AnyInteger k, AnyInteger axis, Flag largest) {
  const int along = sortable_axis("topk", x, axis);
  const std::int64_t length = x.shape(along);
  check(k >= 0 && k <= length, Errc::value, "topk: {} elements of an axis of length {}", k, length);
  const detail::Rows rows(x, along);
  // many more than wanted are parted first, where equal ones keep their order as in a sort
  constexpr std::int64_t many = 8;
  const bool is_parted = k > 0 && length / k >= many && x.dtype().family != Family::complex;
  if (!is_parted) {
    const Array order = copy(order_of("topk", rows, largest)[{slice(), slice({}, k)}]);
    return {rows.back(detail::pick("topk", rows.all, order)), rows.back(order)};
  }
  const Array parted = partitioned("topk", rows.all, {k - 1}, 1, {largest, true});
  const Array first = copy(parted[{slice(), slice({}, k)}]);
  const detail::Rows found(detail::pick("topk", rows.all, first), 1);
  const Array order = order_of("topk", found, largest);
  return {rows.back(detail::pick("topk", found.all, order)),
          rows.back(detail::pick("topk", first, order))};
}

}  // namespace isthmus::inline ISTHMUS_ABI
