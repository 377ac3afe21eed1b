// draw.h: the nodes that random numbers are, and what their parameters say of them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "isthmus/array/array.h"
#include "isthmus/array/place.h"
#include "isthmus/random/generator.h"

namespace isthmus::inline ISTHMUS_ABI::random {

/// What a call may draw from: counters from `first` on.
struct Drawn {
  std::uint64_t key, stream, first;
};

/// The shape, dtype and device of a result.
struct Target {
  std::string_view who;
  Shape shape;
  DType dtype;
  Device device;
  std::int64_t count() const;  ///< Of elements.
};

/// While it lives, what is made is of the context of the first parameter whose memory has one: what
/// all contexts reach, as a list on some devices, has none.
class InContextOfFirst {
 public:
  explicit InContextOfFirst(std::initializer_list<const Value*> parameters) {
    for (const Value* const value : parameters)
      if (value->array && !meanwhile_ && has_context(*value->array))
        meanwhile_.emplace(*value->array);
  }

 private:
  std::optional<InContextOf> meanwhile_;
};

/// Of real numbers with these parameters; see Generator.
Target real_target(std::string_view who, std::initializer_list<const Value*> parameters,
                   const Shape& size, std::optional<DType> dtype,
                   const std::optional<Device>& device);
/// What a parameter is beside a result of real numbers: of its dtype.
Value parameter_of(const Target& target, const Value& value);
/// Throws value for a number below 0, or NaN.
void check_not_negative(std::string_view who, std::string_view name, const Value& value);
/// A number as a double; nothing for an array.
std::optional<double> number_of(const Value& value);

/// The result of a row of random.def whose first operand is the number of the element, from `first`
/// on, behind which these stand.
Array draw(const Target& target, Op op, std::uint64_t first, std::span<const Value> others);
/// The result of a row on operands that all are arrays or numbers, at least one an array.
Array calculate(std::string_view who, Op op, DType dtype, std::initializer_list<Value> operands);

}  // namespace isthmus::inline ISTHMUS_ABI::random
