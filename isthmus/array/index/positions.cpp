// positions.cpp: nodes that read by position, and the check of what users give as indices.
#include "isthmus/array/index/positions.h"

#include <algorithm>
#include <utility>

#include "isthmus/array/apply.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index_check.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/text/format.h"
#include "isthmus/runtime/memory/memory_pool.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

Positions::Positions(const Layout& layout) {
  const Extent extent = extent_of(layout);
  lowest = extent.begin;
  first = layout.offset - extent.begin;
  count = std::max<std::int64_t>(extent.end - extent.begin, 1);
}

void show_base(Operand& operand, const Array& base) {
  const Layout& layout = base.layout();
  const Positions positions(layout);
  operand.kind = Operand::Kind::storage;
  operand.storage = base.storage();
  operand.layout = Layout{Dims{positions.count}, Dims{1}, positions.lowest};
}

namespace {

Array read(std::string_view who, Op op, const Array& base, Array at, DType result,
           std::optional<std::int64_t> count) {
  check(base.device() == at.device(), Errc::device_mismatch,
        "{}: the array is on {}, the indices on {}; move one with to_device", who, base.device(),
        at.device());
  auto node = std::make_unique<Node>(work::Read(op, base.dtype().id));
  node->operand_count = count ? 3 : 2;
  const Device device = at.device();
  const Dims shape = at.shape();
  Layout layout = row_major({shape.begin(), shape.end()});
  show_base(node->operands[0], base);
  show(node->operands[1], who, Value::of_released(at), shape);
  if (count) {
    node->operands[2].kind = Operand::Kind::scalar;
    node->operands[2].scalar = Value(*count).scalar;
  }
  node->context = context_for(who, device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(result, device, std::move(layout), std::move(node), &facts);
  return settle(std::move(made), facts);
}

}  // namespace

Array places_of(Layout layout, const Device& device) {
  auto node = std::make_unique<Node>(work::Map(Op::astype, TypeId::uint64));
  node->operand_count = 1;
  node->operands[0].kind = Operand::Kind::index;
  Layout made = row_major({layout.shape.begin(), layout.shape.end()});
  node->operands[0].layout = std::move(layout);
  node->context = context_for("index", device, *node);
  return settle(make_pending(TypeId::int64, device, std::move(made), std::move(node)), {});
}

Array load(std::string_view who, const Array& base, Array positions) {
  check(base.dtype().is_builtin(), Errc::type, "{}: does not accept {}; index a field of it", who,
        base.dtype());
  return read(who, Op::load, base, std::move(positions), base.dtype(), std::nullopt);
}

namespace {

void store_how(std::string_view who, const Array& target, Array positions, const Value& values,
               Store how) {
  const DType dtype = target.dtype();
  check(!target.is_read_only(), Errc::value,
        "{}: the array is read-only (a broadcast, or read-only memory); copy it first", who);
  check(dtype.is_builtin(), Errc::type, "{}: does not accept {}; index a field of it", who, dtype);
  check(positions.device() == target.device(), Errc::device_mismatch,
        "{}: the array is on {}, the indices on {}; move one with to_device", who, target.device(),
        positions.device());
  Operand value, at;
  if (values.array) {
    check(values.array->device() == target.device(), Errc::device_mismatch,
          "{}: the array is on {}, the values on {}; move one with to_device", who, target.device(),
          values.array->device());
    check_same_context(who, *target.storage(), *values.array->storage());
    check_cast(who, values.array->dtype(), dtype);
    show(value, who, *values.array, positions.shape());
  } else {
    check_fits(who, values, dtype);
    value.kind = Operand::Kind::scalar;
    value.scalar = values.scalar;
  }
  check_same_context(who, *target.storage(), *positions.storage());
  const Dims shape = positions.shape();
  show(at, who, Value::of_released(positions), shape);
  const Positions reached(target.layout());
  write_at(target.storage(), {Dims{reached.count}, Dims{1}, reached.lowest}, std::move(value),
           std::move(at), shape, how);
}

}  // namespace

void store(std::string_view who, const Array& target, Array positions, const Value& values,
           bool is_unique) {
  const Store how = is_unique ? Store::any_order : Store::in_order;
  store_how(who, target, std::move(positions), values, how);
}

void add_to(std::string_view who, const Array& target, Array positions, const Value& values) {
  store_how(who, target, std::move(positions), values, Store::sum);
}

bool adds_by_position(DType dtype, const Device& device) {
  const bool is_half = dtype.family == Family::real && dtype.bits == 16;
  if (!dtype.is_builtin() || is_half || dtype.family == Family::boolean) return false;
  return device.is_host() || device.info().has_unified_memory;
}

Array search(std::string_view who, const Array& sorted, Array values, bool is_right) {
  return read(who, is_right ? Op::search_right : Op::search_left, sorted, std::move(values),
              TypeId::int64, sorted.size());
}

Array position_of(const Array& number, const Dims& shape, const Dims& strides) {
  if (shape.size() == 1) return strides[0] == 1 ? number : number * strides[0];
  struct Axis {
    std::int64_t length, stride;
  };
  SmallVector<Axis, 4> axes;  // the last one first; together where they lie one after another
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (!axes.empty() && axes.back().stride * axes.back().length == strides[i])
      axes.back().length *= shape[i];
    else
      axes.push_back({shape[i], strides[i]});
  }
  std::optional<Array> position;
  std::int64_t before = 1;  // elements of the axes behind
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Array index = before > 1 ? floor_divide(number, before) : number;
    if (i + 1 < axes.size()) index = remainder(std::move(index), axes[i].length);
    if (axes[i].stride != 1) index = std::move(index) * axes[i].stride;
    position = position ? std::move(*position) + std::move(index) : std::move(index);
    before *= axes[i].length;
  }
  return position ? std::move(*position) : number * 0;
}

namespace {

/// Waits for the check, and throws what it found.
void ask(const LateIndices& late) {
  const Array whole = late.finding.eval();
  const bool is_in_reach = whole.storage()->memory()->is_host_accessible();
  const Array here = is_in_reach ? whole : to_device(whole, Device());
  wait(here.storage());
  late.check->look_at(here.storage()->memory(), here.layout().offset);
  if (late.check->has_failed()) late.check->raise();
}

/// What is the matter with an index.
enum class Worst : std::uint8_t { nothing, negative, outside };

/// Of so many indices a plain loop is done before a kernel has begun.
constexpr std::int64_t few_indices = 4096;

/// Looks at those of type T that begin at `at`, from an axis on. Where `to` is not null, it is
/// moved past them, and they are written there, counted from the first element.
template <class T>
Worst look_at(const T* at, const Layout& layout, std::size_t axis, std::int64_t extent,
              std::int64_t*& to) {
  if (axis == layout.shape.size()) {
    const T index = *at;
    if (std::cmp_greater_equal(index, extent) || std::cmp_less(index, -extent))
      return Worst::outside;
    const bool is_negative = std::cmp_less(index, 0);
    if (to) *to++ = static_cast<std::int64_t>(index) + (is_negative ? extent : 0);
    return is_negative ? Worst::negative : Worst::nothing;
  }
  Worst worst = Worst::nothing;
  for (std::int64_t i = 0; i < layout.shape[axis]; ++i, at += layout.strides[axis])
    worst = std::max(worst, look_at(at, layout, axis + 1, extent, to));
  return worst;
}

/// Looks at a few indices, without a kernel, and writes them to `to`, if it is not null.
Worst look_at_few(const Array& indices, std::int64_t extent, std::int64_t* to) {
  const Array here = to_host(indices);
  const void* const memory = here.storage()->memory()->host;
  const auto of = [&]<class T>(T) {
    return look_at(static_cast<const T*>(memory) + here.layout().offset, here.layout(), 0, extent,
                   to);
  };
  switch (here.dtype().id) {
    case TypeId::int8: return of(std::int8_t{});
    case TypeId::int16: return of(std::int16_t{});
    case TypeId::int32: return of(std::int32_t{});
    case TypeId::int64: return of(std::int64_t{});
    case TypeId::uint8: return of(std::uint8_t{});
    case TypeId::uint16: return of(std::uint16_t{});
    case TypeId::uint32: return of(std::uint32_t{});
    default: return of(std::uint64_t{});
  }
}

/// The view without the repeats of a broadcast.
Array once_each(const Array& x) {
  Layout layout = x.layout();
  for (std::size_t i = 0; i < layout.shape.size(); ++i)
    if (layout.strides[i] == 0) layout.shape[i] = std::min<std::int64_t>(layout.shape[i], 1);
  return seen_as(x, std::move(layout));
}

/// Of any, in one pass over them, before the cast that could make another number of one.
Worst worst_of(const Array& indices, std::int64_t extent) {
  if (indices.size() <= few_indices) return look_at_few(indices, extent, nullptr);
  const Array most = max(indices);  // pending, so that one kernel finds both
  if (indices.dtype().family == Family::natural)
    return (most >= extent).item<bool>() ? Worst::outside : Worst::nothing;
  const auto least = min(indices).item<std::int64_t>();
  if (least < -extent || most.item<std::int64_t>() >= extent) return Worst::outside;
  return least < 0 ? Worst::negative : Worst::nothing;
}

/// Throws for an index that is outside. Returns whether one is negative.
bool check_now(std::string_view who, const Array& indices, std::int64_t extent, int axis,
               const Dims& given) {
  const Array once = once_each(indices);
  const Worst worst = worst_of(once, extent);
  if (worst == Worst::outside) {
    const bool has_shape = given == indices.shape();  // then repeats are behind the first one
    ask(check_late(who, has_shape ? once : indices, extent, axis,
                   has_shape ? once.shape() : given));
  }
  return worst == Worst::negative;
}

/// A few indices of the host in memory of their own, where nobody changes them: a kernel that reads
/// them needs no steps that keep them inside. Nothing where one is outside.
std::optional<Array> inside_by_copy(const Array& indices, std::int64_t extent) {
  const auto bytes = static_cast<std::size_t>(indices.size()) * sizeof(std::int64_t);
  Ref<BackendMemory> memory = allocate(Device(), bytes);
  auto* const to = static_cast<std::int64_t*>(memory->host);
  if (look_at_few(indices, extent, to) == Worst::outside) return {};
  return from_view({std::move(memory), TypeId::int64, row_major(indices.shape()), false});
}

}  // namespace

Array checked_indices(std::string_view who, const Array& indices, std::int64_t extent, int axis,
                      const Dims& given, LateIndexList& late) {
  check_integers(who, indices);
  if (indices.size() > 0 && indices.size() <= few_indices && indices.device().is_host())
    if (auto inside = inside_by_copy(indices, extent)) return std::move(*inside);
  Array wide = astype(indices, TypeId::int64, false);
  if (indices.size() == 0) return wide;
  bool may_be_negative = indices.dtype().family != Family::natural;
  if (const auto here = at_hand(indices))
    may_be_negative = check_now(who, *here, extent, axis, given);
  else if (extent > 0)
    late.push_back(check_late(who, indices, extent, axis, given));
  else
    fail(Errc::index, "{}: {} indices are out of bounds for {} of length 0", who, indices.size(),
         axis < 0 ? std::string("an array") : format("axis {}", axis));
  if (may_be_negative) wide = where(wide < 0, wide + extent, wide);
  // other threads and other owners of the memory may have changed them since
  return clip(std::move(wide), 0, std::max<std::int64_t>(extent - 1, 0));
}

Array guarded(Array positions, const LateIndexList& late, bool is_of_writes) {
  for (const LateIndices& one : late) {
    if (positions.size() == 0) {  // nothing is read or written that anybody could wait for
      ask(one);
      continue;
    }
    one.check->stops_writes = is_of_writes;
    auto node = std::make_unique<Node>(work::Guard(one.check));
    node->operand_count = 2;
    const Device device = positions.device();
    const Dims shape = positions.shape();
    show(node->operands[0], "index", Value::of_released(positions), shape);
    show(node->operands[1], "index", one.finding, shape);
    node->context = context_for("index", device, *node);
    PendingFacts facts;
    Ref<Storage> made = make_pending(TypeId::int64, device, row_major({shape.begin(), shape.end()}),
                                     std::move(node), &facts);
    positions = settle(std::move(made), facts);
  }
  return positions;
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
