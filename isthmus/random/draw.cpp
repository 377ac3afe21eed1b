// draw.cpp: the nodes that random numbers are, and what their parameters say of them.
#include "isthmus/random/draw.h"

#include <cmath>
#include <vector>

#include "isthmus/array/apply.h"
#include "isthmus/array/place.h"

namespace isthmus::inline ISTHMUS_ABI::random {

namespace {

/// The shape of a result: `size`, to which the parameters must broadcast, or what they make.
Shape shape_for(std::string_view who, std::initializer_list<const Value*> parameters,
                const Shape& size) {
  std::vector<std::span<const std::int64_t>> shapes;
  if (!size.empty()) shapes.emplace_back(size.data(), size.size());
  for (const Value* value : parameters)
    if (value->array) shapes.emplace_back(value->array->shape().data(), value->array->ndim());
  Dims shape = shapes.empty() ? Dims() : broadcast_shapes(who, shapes);
  check(size.empty() || shape == size, Errc::value,
        "{}: the parameters have the shape {}, which cannot be broadcast to size {}", who, shape,
        size);
  (void)checked_count(who, {shape.begin(), shape.end()});
  return shape;
}

Device device_for(std::string_view who, std::initializer_list<const Value*> parameters,
                  const std::optional<Device>& wanted) {
  std::optional<Device> device = wanted;
  for (const Value* value : parameters) {
    if (!value->array) continue;
    if (!device) device = value->array->device();
    check(*device == value->array->device(), Errc::device_mismatch,
          "{}: a parameter is on {}, the result on {}; move it with to_device", who,
          value->array->device(), *device);
  }
  if (!device) device = default_device();
  if (device->is_host() && device->index() != 0) (void)device->info();  // refuses it
  return *device;
}

DType dtype_for(std::string_view who, std::initializer_list<const Value*> parameters,
                std::optional<DType> wanted, const Device& device) {
  std::optional<DType> dtype = wanted;
  for (const Value* value : parameters) {
    if (!value->array) continue;
    const DType own = value->array->dtype();
    const bool is_number = own.is_builtin() && own.family != Family::complex;
    check(is_number, Errc::type, "{}: does not accept {}", who, own);
    if (wanted || own.family != Family::real) continue;
    const bool is_wide = own.bits == 64 || (dtype && *dtype == DType(TypeId::float64));
    dtype = is_wide ? TypeId::float64 : TypeId::float32;
  }
  const DType made = dtype.value_or(default_real(device));
  check(made == DType(TypeId::float32) || made == DType(TypeId::float64), Errc::type,
        "{}: draws float32 and float64, not {}; use astype", who, made);
  check(has_dtype(device, made), Errc::type, "{}: {} has no {}; use float32", who, device, made);
  return made;
}

std::unique_ptr<Node> node_of(const Target& target, Op op) {
  auto node = std::make_unique<Node>(work::Map(op, target.dtype.id));
  node->operand_count = info(op).arity;
  return node;
}

/// What a node gives whose operands have been set.
Array settled(const Target& target, std::unique_ptr<Node> node) {
  node->context = context_for(target.who, target.device, *node);
  PendingFacts facts;
  detail::Ref<detail::Storage> made =
      make_pending(target.dtype, target.device, row_major(target.shape), std::move(node), &facts);
  return detail::settle(std::move(made), facts);
}

void set(isthmus::Operand& operand, const Target& target, const Value& value) {
  if (value.array) return detail::show(operand, target.who, value, target.shape);
  operand.kind = isthmus::Operand::Kind::scalar;
  operand.scalar = value.scalar;
}

}  // namespace

std::int64_t Target::count() const { return checked_count(who, {shape.begin(), shape.end()}); }

Target real_target(std::string_view who, std::initializer_list<const Value*> parameters,
                   const Shape& size, std::optional<DType> dtype,
                   const std::optional<Device>& device) {
  const Device where = device_for(who, parameters, device);
  return {who, shape_for(who, parameters, size), dtype_for(who, parameters, dtype, where), where};
}

Value parameter_of(const Target& target, const Value& value) {
  if (!value.array) {
    const Family family = value.scalar.dtype.family;
    check(family != Family::complex, Errc::type, "{}: does not accept complex numbers", target.who);
    return Value(Scalar::of(*number_of(value)), true);
  }
  return value;
}

std::optional<double> number_of(const Value& value) {
  if (value.array) return {};
  return number_as<double>("number", value.scalar);
}

void check_not_negative(std::string_view who, std::string_view name, const Value& value) {
  const std::optional<double> number = number_of(value);
  check(!number || !std::isnan(*number), Errc::value, "{}: {}: it is NaN; 0 or more is needed", who,
        name);
  check(!number || *number >= 0, Errc::value, "{}: {}: {} is below 0", who, name,
        number.value_or(0));
}

Array draw(const Target& target, Op op, std::uint64_t first, std::span<const Value> others) {
  auto node = node_of(target, op);
  isthmus::Operand& number = node->operands[0];
  number.kind = isthmus::Operand::Kind::index;
  number.layout = row_major(target.shape);
  number.layout->offset = static_cast<std::int64_t>(first);
  for (std::size_t i = 0; i < others.size(); ++i) set(node->operands[i + 1], target, others[i]);
  return settled(target, std::move(node));
}

Array calculate(std::string_view who, Op op, DType dtype, std::initializer_list<Value> operands) {
  std::vector<std::span<const std::int64_t>> shapes;
  std::optional<Device> device;
  for (const Value& value : operands)
    if (value.array) {
      device = value.array->device();
      shapes.emplace_back(value.array->shape().data(), value.array->ndim());
    }
  const Target target{who, broadcast_shapes(who, shapes), dtype, *device};
  auto node = node_of(target, op);
  std::size_t i = 0;
  for (const Value& value : operands) set(node->operands[i++], target, value);
  return settled(target, std::move(node));
}

}  // namespace isthmus::inline ISTHMUS_ABI::random
