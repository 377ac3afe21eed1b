// array.cpp: operations to nodes.
#include "isthmus/array/array.h"

#include <algorithm>
#include <cmath>

#include "isthmus/array/apply.h"
#include "isthmus/array/compare.h"
#include "isthmus/array/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/array/refuse.h"
#include "isthmus/graph/concat.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/put_off.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/submit/foreign_work.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

/// Whether what a pending storage reads may be written to as soon as our caller goes on.
static bool reads_open(Storage& storage) {
  const std::lock_guard lock(graph_lock());
  Node* node = storage.node();
  if (!node) return true;  // another thread has it
  bool is_any_open = false;
  for_each_read(*node, [&](const Operand& operand) {
    const bool is_read = operand.kind == Operand::Kind::storage && operand.storage->is_ready();
    is_any_open |= is_read && is_open(*operand.storage->memory());
  });
  return is_any_open;
}

namespace detail {

void begin_evaluation(const Ref<Storage>& storage) { evaluate(storage); }

Array settle(Ref<Storage> storage, const PendingFacts& facts) {
  const bool is_promised = facts.reads_shared && Fusing::is_on();
  const bool is_exposed = facts.reads_shared && !is_promised;
  if (is_promised) note_put_off(storage);
  if (is_exposed && reads_open(*storage))
    wait(storage);  // who may write what it reads may do so when this returns
  else if (is_exposed)
    evaluate(storage);  // whoever may write is ordered with it by a queue
  else if (facts.is_full || (is_eager() && !WrittenAtOnce::is_on()))
    evaluate(storage);
  return Array(std::move(storage));
}

void show(Operand& operand, std::string_view who, const Value& value, const Dims& shape) {
  const Layout& layout = value.array->layout();
  operand.kind = Operand::Kind::storage;
  operand.storage = value.released ? std::move(*value.released).storage() : value.array->storage();
  if (layout.shape != shape)
    operand.layout = broadcast(who, layout, {shape.begin(), shape.end()});
  else if (&layout != &operand.storage->layout && layout != operand.storage->layout)
    operand.layout = layout;
}

}  // namespace detail

namespace {

const Array& first_array(std::string_view who, std::span<const Value> values) {
  for (const Value& value : values)
    if (value.array) return *value.array;
  fail(Errc::type, "{}: none of the operands is an array", who);
}

void check_device(std::string_view who, std::span<const Value> values, const Device& device) {
  for (const Value& value : values)
    check(!value.array || value.array->device() == device, Errc::device_mismatch,
          "{}: operands are on {} and {}; move one with to_device", who, device,
          value.array ? value.array->device() : device);
}

/// The real dtype that holds each operand, which may be smaller than that for their common one:
/// float16 for int8 and uint8, as in NumPy.
DType floating_for_all(std::span<const Value> values, DType otherwise) {
  std::optional<DType> type;
  for (const Value& value : values) {
    if (!value.array && value.is_weak) continue;
    const DType own = floating_for(value.array ? value.array->dtype() : value.scalar.dtype);
    type = type ? promote(*type, own) : own;
  }
  return type.value_or(otherwise);
}

/// The dtype of calculation: integers become reals where the row wants that, and doubles floats
/// where the device has none and no operand asked for them.
DType computing_type(const OpInfo& row, DType common, std::span<const Value> values,
                     const Device& device) {
  DType type = common;
  if (row.promotes_integers()) {
    type = floating_for(common);
    if (type != common) type = floating_for_all(values, type);
  }
  if (type != common && row.promotes == Promotes::float64) type = TypeId::float64;
  if (has_dtype(device, type)) return type;
  for (const Value& value : values)
    check(!value.array || has_dtype(device, value.array->dtype()), Errc::type,
          "{}: {} has no {}; use float32", row.name, device, type);
  return type.family == Family::complex ? TypeId::complex64 : TypeId::float32;
}

/// What takes the dtype of the operand before it may be any real number.
void check_followers(const OpInfo& row, std::span<const Value> values) {
  for (const Value& value : values) {
    const DType dtype = value.array ? value.array->dtype() : value.scalar.dtype;
    check(dtype.family != Family::complex && dtype.family != Family::record, Errc::type,
          "{}: does not accept {}; it accepts real numbers after the first operand", row.name,
          dtype);
  }
}

DType result_dtype(const OpInfo& row, DType type) {
  switch (row.rule) {
    case ResultRule::same: return type;
    case ResultRule::boolean: return TypeId::bool_;
    case ResultRule::real_part: return real_part(type);
  }
  return type;
}

bool is_logical(Op op) {
  return op == Op::logical_and || op == Op::logical_or || op == Op::logical_xor;
}

bool have_shape(std::span<const Value> values, const Dims& shape) {
  return std::ranges::all_of(values,
                             [&](const Value& v) { return !v.array || v.array->shape() == shape; });
}

Dims common_shape(std::string_view who, std::span<const Value> values) {
  SmallVector<const Array*, 3> arrays;
  for (const Value& value : values)
    if (value.array) arrays.push_back(value.array);
  std::vector<std::span<const std::int64_t>> shapes;
  for (const Array* array : arrays)
    shapes.emplace_back(array->shape().data(), array->shape().size());
  return broadcast_shapes(who, shapes);
}

Layout result_layout(const Dims& dims, std::span<const Value> values) {
  const std::span<const std::int64_t> shape(dims.begin(), dims.end());
  if (shape.size() < 2) return row_major(shape);
  SmallVector<const Layout*, 3> layouts;
  for (const Value& value : values)
    if (value.array) layouts.push_back(&value.array->layout());
  return dense_like(shape, {layouts.begin(), layouts.end()});
}

}  // namespace

bool has_dtype(const Device& device, DType dtype) {
  if (real_part(dtype).id != TypeId::float64 || device.is_host()) return true;
  return backend(device).describe(device.index()).has_fp64;
}

DType default_real(const Device& device) {
  return has_dtype(device, TypeId::float64) ? TypeId::float64 : TypeId::float32;
}

DType result_type(std::string_view who, std::span<const Value> values) {
  if (values.size() == 2 && values[0].array && values[1].array &&
      values[0].array->dtype() == values[1].array->dtype())
    return values[0].array->dtype();
  DType dtype;
  bool has_any = false;
  for (const Value& value : values) {
    if (!value.array && value.is_weak) continue;
    const DType own = value.array ? value.array->dtype() : value.scalar.dtype;
    dtype = has_any ? promote(dtype, own) : own;
    has_any = true;
  }
  check(has_any, Errc::type, "{}: needs an array or a dtype among its operands", who);
  for (const Value& value : values)
    if (!value.array && value.is_weak) dtype = with_literal(who, dtype, value);
  return dtype;
}

Array apply(Op op, std::span<const Value> operands) {
  detail::check_row(op);
  if (op == Op::pow && operands.size() == 2) {
    const Op row = row_of_power(operands[0], operands[1]);
    if (row != Op::pow) return apply(row, operands.first(1));
    refuse_negative_power(operands[0], operands[1]);
  }
  if (const auto answer = known_answer(op, operands)) {
    const Array& x = *operands[operands[0].array ? 0 : 1].array;
    return apply(*answer ? Op::equal : Op::not_equal, {x, x});
  }
  if (auto compared = compare_as_numbers(op, operands)) return std::move(*compared);
  const OpInfo& row = info(op);
  check(operands.size() == row.arity, Errc::type, "{}: takes {} operands, not {}", row.name,
        row.arity, operands.size());
  const Array& first = first_array(row.name, operands);
  const Device device = first.device();
  check_device(row.name, operands, device);
  const bool is_where = op == Op::where;
  const bool leads = row.promotes == Promotes::leading && operands[0].array;
  const auto typed = is_where ? operands.subspan(1) : operands.first(leads ? 1 : operands.size());
  if (leads) check_followers(row, operands.subspan(1));
  const bool has_type = !is_where || operands[1].array || operands[2].array ||
                        !operands[1].is_weak || !operands[2].is_weak;
  DType common =
      has_type ? result_type(row.name, typed)
               : with_literal(row.name, with_literal(row.name, TypeId::bool_, typed[0]), typed[1]);
  const DType type = computing_type(row, common, typed, device);
  if (!row.accepts(type.family)) refuse_dtype(row, common);

  Dims stretched;
  const bool is_stretched = !have_shape(operands, first.shape());
  if (is_stretched) stretched = common_shape(row.name, operands);
  const Dims& shape = is_stretched ? stretched : first.shape();
  Layout layout = result_layout(shape, operands);
  auto node = std::make_unique<Node>(work::Map(op, type.id));
  node->operand_count = row.arity;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Value& value = operands[i];
    if (value.array) {
      detail::show(node->operands[i], row.name, value, shape);
      continue;
    }
    node->operands[i].kind = Operand::Kind::scalar;
    node->operands[i].scalar = is_logical(op) ? truth_of(value) : value.scalar;
    if (!(is_where && i == 0) && !is_logical(op)) check_fits(row.name, value, type);
  }
  node->context = context_for(row.name, device, *node);
  PendingFacts facts;
  Ref<Storage> made =
      make_pending(result_dtype(row, type), device, std::move(layout), std::move(node), &facts);
  return detail::settle(std::move(made), facts);
}

Array round_to(Array x, int decimals) {
  const DType dtype = x.dtype();
  const bool is_whole = dtype.family == Family::integer || dtype.family == Family::natural;
  if (is_whole && decimals >= 0)
    return astype(std::move(x), dtype, true);  // laid out as NumPy's, which copies them too
  if (decimals == 0) return apply(Op::round, {std::move(x)});
  check(dtype.family != Family::boolean, Errc::type, "round: does not accept bool");
  const double scale = std::pow(10.0, std::min(std::abs(decimals), 308));
  const Op there = decimals > 0 ? Op::multiply : Op::divide;
  const Op back = decimals > 0 ? Op::divide : Op::multiply;
  Array near = apply(there, {is_whole || decimals < 0 ? Value(std::move(x)) : Value(x), scale});
  near = apply(back, {apply(Op::round, {std::move(near)}), scale});
  if (is_whole) return astype(std::move(near), dtype, false);
  if (decimals < 0) return near;
  const Array finite = apply(Op::isfinite, {near});
  return apply(Op::where, {finite, std::move(near), std::move(x)});
}

static Array converted(Array x, DType dtype, Layout layout) {
  auto node = std::make_unique<Node>(
      work::Map(Op::astype, x.dtype().is_builtin() ? x.dtype().id : TypeId::uint8));
  node->operand_count = 1;
  const Device device = x.device();
  const Dims& shape = x.shape();
  detail::show(node->operands[0], "astype", Value::of_released(x), shape);
  node->context = context_for("astype", device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(dtype, device, std::move(layout), std::move(node), &facts);
  return detail::settle(std::move(made), facts);
}

Array astype(Array x, DType dtype, Flag copy) {
  if (x.dtype() == dtype && !copy) return x;
  check(x.dtype() == dtype || (x.dtype().is_builtin() && dtype.is_builtin()), Errc::type,
        "astype: a {} cannot become a {}", x.dtype(), dtype);
  check_cast("astype", x.dtype(), dtype);
  check(has_dtype(x.device(), dtype), Errc::type, "astype: {} has no {}; use float32", x.device(),
        dtype);
  Layout layout = dense_copy_of(x.layout());
  return converted(std::move(x), dtype, std::move(layout));
}

Array copy(const Array& x) { return astype(x, x.dtype(), true); }

Array contiguous(const Array& x) {
  if (is_row_major(x.layout())) return x;
  return converted(x, x.dtype(), row_major({x.shape().begin(), x.shape().end()}));
}

}  // namespace isthmus::inline ISTHMUS_ABI
