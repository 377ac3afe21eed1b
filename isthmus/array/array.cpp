// array.cpp: operations to nodes.
#include "isthmus/array/array.h"

#include <algorithm>
#include <cmath>

#include "isthmus/array/apply.h"
#include "isthmus/array/index/field.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/array/infer/infer.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/infer/rules.h"
#include "isthmus/array/place.h"
#include "isthmus/array/refuse.h"
#include "isthmus/graph/concat.h"
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

[[gnu::hot]] void begin_evaluation(const Ref<Storage>& storage) { evaluate(storage); }

[[gnu::hot]] Array settle(Ref<Storage> storage, const PendingFacts& facts) {
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

// Inlined twice: it is a good part of what a small operation costs.
/// `released`: the same array, if it is to be released.
[[gnu::always_inline]] static inline void show_inlined(Operand& operand, const Array& array,
                                                       Array* released) {
  const Layout& layout = array.layout();
  operand.kind = Operand::Kind::storage;
  operand.storage = released ? std::move(*released).storage() : array.storage();
  if (&layout != &operand.storage->layout && layout != operand.storage->layout)
    operand.layout = layout;
}

[[gnu::hot]] void show_all(Operand& operand, Array&& array) {
  show_inlined(operand, array, &array);
}

void show(Operand& operand, std::string_view who, const Value& value, const Dims& shape) {
  const Layout& layout = value.array->layout();
  if (layout.shape == shape) return show_inlined(operand, *value.array, value.released);
  Layout stretched = broadcast(who, layout, {shape.begin(), shape.end()});
  show_inlined(operand, *value.array, value.released);
  operand.layout = std::move(stretched);
}

}  // namespace detail

[[gnu::hot]] Array apply(Op op, std::span<const Value> operands) {
  detail::check_row(op);
  if (has_rules(op))
    if (auto made = by_rule(op, operands)) return std::move(*made);
  Inferred inferred = infer(op, operands);
  auto node = std::make_unique<Node>(work::Map(op, inferred.type.id));
  node->operand_count = static_cast<std::int32_t>(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Operand& operand = node->operands[i];
    if (operands[i].array) {
      if (inferred.stretches)
        detail::show(operand, info(op).name, operands[i], inferred.layout.shape);
      else
        detail::show_inlined(operand, *operands[i].array, operands[i].released);
      continue;
    }
    operand.kind = Operand::Kind::scalar;
    operand.scalar = is_logical(op) ? truth_of(operands[i]) : operands[i].scalar;
  }
  node->context = std::move(inferred.context);
  PendingFacts facts;
  Ref<Storage> made = make_pending(inferred.given, inferred.device, std::move(inferred.layout),
                                   std::move(node), &facts);
  return detail::settle(std::move(made), facts);
}

/// Places before the point that round to more than 0 somewhere.
static int most_places(DType dtype) {
  switch (real_part(dtype).id) {
    case TypeId::float16: return 5;
    case TypeId::bfloat16:
    case TypeId::float32: return 38;
    default: return 308;
  }
}

/// Integers to the nearest multiple of 10^digits, of two the even one: by floats where they hold
/// all integers of the dtype, since those divide faster. What the dtype does not hold wraps around.
static Array round_whole(const Array& x, int digits) {
  const DType dtype = x.dtype();
  const bool is_widest = dtype == DType(TypeId::uint64);  // all others fit int64
  if (digits > (is_widest ? 19 : 18)) return apply(Op::multiply, {x, 0});
  if (dtype.bits < 64 && has_dtype(x.device(), TypeId::float64)) {
    const double scale = std::pow(10.0, digits);
    const Array near = apply(Op::round, {apply(Op::divide, {x, scale})});
    const Array whole = astype(apply(Op::multiply, {near, scale}), TypeId::int64, false);
    return astype(whole, dtype, false);
  }
  std::uint64_t power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  const Value step(is_widest ? Scalar::of(power) : Scalar::of(static_cast<std::int64_t>(power)));
  const Array quotient = apply(Op::floor_divide, {x, step});
  const Array rest = apply(Op::subtract, {x, apply(Op::multiply, {quotient, step})});
  const Array missing = apply(Op::subtract, {step, rest});
  const Array is_odd = apply(Op::not_equal, {apply(Op::bitwise_and, {quotient, 1}), 0});
  const Array is_tie = apply(Op::logical_and, {apply(Op::equal, {rest, missing}), is_odd});
  const Array is_up = apply(Op::logical_or, {apply(Op::greater, {rest, missing}), is_tie});
  const Array multiple = apply(Op::add, {quotient, astype(is_up, quotient.dtype())});
  return astype(apply(Op::multiply, {multiple, step}), dtype, false);
}

Array round_to(Array x, AnyInteger places) {
  const int decimals =
      static_cast<int>(std::clamp<std::int64_t>(places, -400, 400));  // as any dtype
  const DType dtype = x.dtype();
  if (is_integer(dtype)) {
    if (decimals < 0) return round_whole(x, -decimals);
    return astype(std::move(x), dtype, true);  // laid out as NumPy's, which copies them too
  }
  if (decimals == 0) return apply(Op::round, {std::move(x)});
  check(dtype.family != Family::boolean, Errc::type, "round: does not accept bool");
  if (dtype.family == Family::complex) {
    // a product with a complex scale would have NaN in both parts where one is infinite
    const Array made = astype(x, dtype, true);
    assign(made.real(), round_to(x.real(), places));
    assign(made.imag(), round_to(x.imag(), places));
    return made;
  }
  if (decimals < -most_places(dtype)) {  // by a scale that the dtype has not
    const Array none = apply(Op::multiply, {x, 0});
    return apply(Op::where, {apply(Op::isfinite, {x}), none, std::move(x)});
  }
  const double scale = std::pow(10.0, std::min(std::abs(decimals), 308));
  const Op there = decimals > 0 ? Op::multiply : Op::divide;
  const Op back = decimals > 0 ? Op::divide : Op::multiply;
  Array near = apply(there, {decimals < 0 ? Value(std::move(x)) : Value(x), scale});
  near = apply(back, {apply(Op::round, {std::move(near)}), scale});
  if (decimals < 0) return near;
  const Array finite = apply(Op::isfinite, {near});
  return apply(Op::where, {finite, std::move(near), std::move(x)});
}

static Array converted(Array x, DType dtype, Layout layout) {
  auto node = std::make_unique<Node>(
      work::Map(Op::astype, x.dtype().is_builtin() ? x.dtype().id : TypeId::uint8));
  node->operand_count = 1;
  const Device device = x.device();
  detail::show_all(node->operands[0], std::move(x));
  node->context = context_for("astype", device, *node);
  PendingFacts facts;
  Ref<Storage> made = make_pending(dtype, device, std::move(layout), std::move(node), &facts);
  return detail::settle(std::move(made), facts);
}

Array astype(Array x, DType dtype, Flag copy) {
  if (x.dtype() == dtype && !copy) return x;
  check_astype(x, dtype);
  if (x.dtype() != dtype && x.dtype().record) {  // C's alignment: new memory has any
    const bool is_stricter = alignment_of(dtype) > alignment_of(x.dtype());
    return as_struct(copy || is_stricter ? isthmus::copy(x) : x, dtype);
  }
  Layout layout = dense_copy_of(x.layout());
  return converted(std::move(x), dtype, std::move(layout));
}

Array copy(const Array& x) { return astype(x, x.dtype(), true); }

Array contiguous(const Array& x) {
  if (is_row_major(x.layout())) return x;
  return converted(x, x.dtype(), row_major({x.shape().begin(), x.shape().end()}));
}

}  // namespace isthmus::inline ISTHMUS_ABI
