// assign.cpp: writing elements in place.
#include "isthmus/array/apply.h"
#include "isthmus/array/array.h"
#include "isthmus/array/calculated.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/array/refuse.h"
#include "isthmus/base/words.h"
#include "isthmus/core/record_field.h"
#include "isthmus/runtime/evaluate/put_off.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The same elements of the same memory, in the same order.
static bool is_same_view(const Array& a, const Array& b) {
  if (a.dtype() != b.dtype() || a.layout() != b.layout()) return false;
  if (a.storage() == b.storage()) return true;
  return !a.is_pending() && !b.is_pending() && a.storage()->memory() == b.storage()->memory();
}

Array detail::brought_to(const Array& target, const Array& value) {
  if (value.dtype().record && value.dtype() != target.dtype())
    return brought_to(target, astype(value, target.dtype(), false));
  const bool is_near = value.device() == target.device();
  if (is_near && has_same_context(*target.storage(), *value.storage())) return value;
  const Array cast = astype(value, target.dtype(), false);
  const Array between = is_near ? to_device(cast, Device()) : cast;
  const InContextOf meanwhile(target);
  return to_device(between, target.device());
}

Array detail::without_leading_ones(const Array& x, int axes) {
  Layout layout = x.layout();
  while (layout.ndim() > axes && layout.shape[0] == 1) {
    layout.shape.erase(0);
    layout.strides.erase(0);
  }
  return layout.ndim() == x.ndim() ? x : seen_as(x, std::move(layout));
}

/// The elements of an array that are to be written to `target`. `value` is released, so that the
/// kernel that writes need not write it to memory of its own, too, if nobody else has it.
static Operand shown_to(std::string_view who, const Array& target, Array value) {
  const DType from = value.dtype();
  check(detail::can_become(from, target.dtype()), Errc::type, "{}: a {} cannot become a {}", who,
        from, target.dtype());
  if (from.is_builtin()) check_cast(who, from, target.dtype());
  Array source = detail::without_leading_ones(detail::brought_to(target, value), target.ndim());
  value = Array();
  Operand operand;
  detail::show(operand, who, Value::of_released(source), target.shape());
  return operand;
}

/// Writes a result that nobody else has, of a shape that fits.
static void write_made(std::string_view who, const Array& target, Array result) {
  if (is_same_view(target, result)) return;
  write(target.storage(), target.layout(), shown_to(who, target, std::move(result)));
}

/// `released`: the array of the value where nobody else needs it.
static void assign_value(std::string_view who, const Array& target, const Value& value,
                         Array* released) {
  check(!target.is_read_only(), Errc::value,
        "{}: the array is read-only (a broadcast, or read-only memory); copy it first", who);
  // Python ends x[1:3] += y by writing the view that += has changed to itself
  if (value.array && is_same_view(target, *value.array)) return;
  Operand operand;
  if (value.array) {
    operand = shown_to(who, target, released ? std::move(*released) : Array(*value.array));
  } else {
    check(target.dtype().is_builtin(), Errc::type, "{}: a number cannot become a {}", who,
          target.dtype());
    check_fits(who, value, target.dtype());
    operand.kind = Operand::Kind::scalar;
    operand.scalar = value.scalar;
  }
  write(target.storage(), target.layout(), std::move(operand));
}

void detail::assign_for(std::string_view who, const Array& target, const Value& value) {
  assign_value(who, target, value, nullptr);
}

void assign(const Array& target, const Value& value) {
  assign_value(words().assign, target, value, nullptr);
}

void assign(const Array& target, Value&& value) {
  assign_value(words().assign, target, value, value.released);
}

Array Array::operator=(const Value& value) && {
  assign(*this, value);
  return std::move(*this);
}

Array Array::operator=(Value&& value) && {
  assign(*this, std::move(value));
  return std::move(*this);
}

Array Array::operator=(std::initializer_list<Nested> elements) && {
  for (const Scalar& number : Nested(elements).numbers)  // what one number may not be, none may
    check_fits(words().assign, Value(number, true), dtype());
  const InContextOf meanwhile(*this);
  assign(*this, Array(elements, std::nullopt, device()));
  return std::move(*this);
}

/// Throws unless `result` may be written to `target` in place: of no greater family, and as large.
static void check_in_place(std::string_view who, const Array& target, const Array& result) {
  check(family_rank(result.dtype()) <= family_rank(target.dtype()), Errc::type,
        "{}: the result is {} and does not fit the array's dtype {}; x = {}(x, ...) makes a "
        "new array",
        who, result.dtype(), target.dtype(), who);
  check(result.shape() == target.shape(), Errc::value,
        "{}: the result has shape {} and does not fit the array's shape {}", who, result.shape(),
        target.shape());
}

const Array& apply_in_place(Op op, const Array& target, const Value& value) {
  detail::check_row(op);
  check(!target.is_read_only(), Errc::value,
        "{}: in place: the array is read-only (a broadcast, or read-only memory); x = {}(x, ...) "
        "makes a new array",
        info(op).name, info(op).name);
  const WrittenAtOnce written;
  Array result = apply(op, {target, value});
  check_in_place(info(op).name, target, result);
  write_made(info(op).name, target, std::move(result));
  return target;
}

const Array& write_result(std::string_view who, const Array& target, Array result) {
  check(!target.is_read_only(), Errc::value, "{}: out: the array is read-only", who);
  check(target.device() == result.device(), Errc::device_mismatch,
        "{}: out: the array is on {}, the result on {}", who, target.device(), result.device());
  check_same_context(who, *target.storage(), *result.storage());
  check_in_place(who, target, result);
  write_made(who, target, std::move(result));
  return target;
}

}  // namespace isthmus::inline ISTHMUS_ABI
