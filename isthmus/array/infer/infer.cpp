// infer.cpp: dtypes, shapes, devices and contexts of operands to those of a result.
#include "isthmus/array/infer/infer.h"

#include <algorithm>

#include "isthmus/array/infer/dtypes.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/array/refuse.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

bool is_inexact(DType dtype) {
  return dtype.family == Family::real || dtype.family == Family::complex;
}

const Array& first_array(std::string_view who, std::span<const Value> values) {
  for (const Value& value : values)
    if (value.array) return *value.array;
  fail(Errc::type, "{}: none of the operands is an array", who);
}

/// Whether all are arrays of the dtype, device and shape of the first one, and numbers that join
/// it, as those of most operations are: they need no rule, and small operations are too short to
/// apply them.
bool are_alike(const Array& first, std::span<const Value> values) {
  return std::ranges::all_of(values, [&](const Value& value) {
    if (!value.array) return joins(value, first.dtype());
    return value.array == &first ||
           (value.array->dtype() == first.dtype() && value.array->device() == first.device() &&
            value.array->shape() == first.shape());
  });
}

void check_device(std::string_view who, std::span<const Value> values, const Device& device) {
  const auto is_elsewhere = [&](const Value& v) { return v.array && v.array->device() != device; };
  const auto other = std::ranges::find_if(values, is_elsewhere);
  if (other == values.end()) return;
  const bool has_number =
      std::ranges::any_of(values, [](const Value& v) { return v.array && v.array->ndim() == 0; });
  fail(Errc::device_mismatch, "{}: operands are on {} and {}; move one with to_device{}", who,
       device, other->array->device(),
       has_number ? ", or pass x.item() for the one without axes" : "");
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

[[gnu::hot]] Layout result_layout(const Dims& dims, std::span<const Value> values) {
  const std::span<const std::int64_t> shape(dims.begin(), dims.end());
  if (shape.size() < 2) return row_major(shape);
  SmallVector<const Layout*, 3> layouts;
  for (const Value& value : values)
    if (value.array) layouts.push_back(&value.array->layout());
  return dense_like(shape, {layouts.begin(), layouts.end()});
}

/// The dtype that what `where` chooses from has in common: numbers alone have one, too.
DType type_of_choice(std::span<const Value> values) {
  constexpr std::string_view who = info(Op::where).name;
  if (std::ranges::any_of(values, [](const Value& v) { return v.array || !v.is_weak; }))
    return result_type(who, values);
  const DType type = with_literal(who, with_literal(who, TypeId::bool_, values[0]), values[1]);
  const auto is_double = [](const Value& v) {
    return v.scalar.dtype == DType(TypeId::float64) || v.scalar.dtype == DType(TypeId::complex128);
  };
  if (!is_inexact(type) || std::ranges::any_of(values, is_double)) return type;
  return type.family == Family::complex ? TypeId::complex64 : TypeId::float32;  // of C++'s floats
}

void check_condition(const Value& condition) {
  const DType dtype = condition.array ? condition.array->dtype() : condition.scalar.dtype;
  check(dtype == DType(TypeId::bool_), Errc::type,
        "{}: the condition is {}, not bool; compare it, as in x != 0", info(Op::where).name, dtype);
}

/// Throws unless numbers can be what the row takes them as.
void check_numbers(Op op, std::span<const Value> operands, DType type) {
  if (is_logical(op)) return;
  for (std::size_t i = op == Op::where ? 1 : 0; i < operands.size(); ++i)
    if (!operands[i].array) check_fits(info(op).name, operands[i], type);
}

}  // namespace

[[gnu::hot]] Inferred infer(Op op, std::span<const Value> operands) {
  const OpInfo& row = info(op);
  check(operands.size() == row.arity, Errc::type, "{}: takes {} operands, not {}", row.name,
        row.arity, operands.size());
  if (op == Op::where) check_condition(operands[0]);
  const Array& first = first_array(row.name, operands);
  const bool alike = are_alike(first, operands);
  const Device device = first.device();
  if (!alike) check_device(row.name, operands, device);
  const bool leads = row.promotes == Promotes::leading && operands[0].array;
  const auto typed =
      op == Op::where ? operands.subspan(1) : operands.first(leads ? 1 : operands.size());
  if (leads) check_followers(row, operands.subspan(1));
  const DType common = alike             ? first.dtype()
                       : op == Op::where ? type_of_choice(typed)
                                         : result_type(row.name, typed);
  const bool is_common = device.is_host() && (!row.promotes_integers() || is_inexact(common));
  const DType type = is_common ? common : computing_type(row, common, typed, device);
  if (!row.accepts(type.family)) refuse_dtype(row, common);
  const bool stretches = !alike && !have_shape(operands, first.shape());
  const auto layout = [&] {
    return stretches ? result_layout(common_shape(row.name, operands), operands)
                     : result_layout(first.shape(), operands);
  };
  Inferred inferred{type, result_dtype(row, type), device, layout(), stretches, nullptr};
  if (!alike) check_numbers(op, operands, type);
  if (!device.is_host()) inferred.context = context_for(row.name, device, operands);
  return inferred;
}

DType common_dtype_of(std::string_view who, std::span<const Value> operands) {
  check(std::ranges::any_of(operands, [](const Value& value) { return value.array; }), Errc::type,
        "{}: two numbers; one must be an array", who);
  check_device(who, operands, first_array(who, operands).device());
  common_shape(who, operands);
  return result_type(who, operands);
}

}  // namespace isthmus::inline ISTHMUS_ABI
