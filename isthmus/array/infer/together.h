// together.h: whether two operands can be calculated with, in the name of a call made of several.
#pragma once

#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The dtype that two operands have in common. Throws, in the name of the call that the user made,
/// as an operation of both does: type for two numbers, promotion, device_mismatch, value for shapes
/// that do not broadcast.
inline DType dtype_of_both(std::string_view who, const Value& x, const Value& y) {
  check(x.array || y.array, Errc::type, "{}: two numbers; one must be an array", who);
  const Device device = (x.array ? x.array : y.array)->device();
  std::vector<std::span<const std::int64_t>> shapes;
  for (const Value* value : {&x, &y}) {
    if (!value->array) continue;
    check(value->array->device() == device, Errc::device_mismatch,
          "{}: operands are on {} and {}; move one with to_device", who, device,
          value->array->device());
    const Dims& shape = value->array->shape();
    shapes.emplace_back(shape.data(), shape.size());
  }
  broadcast_shapes(who, shapes);
  const Value both[] = {x.lent(), y.lent()};
  return result_type(who, both);
}

}  // namespace isthmus::inline ISTHMUS_ABI
