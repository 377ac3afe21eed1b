// step.h: one operation on values of a tape.
#pragma once

#include <cstdint>

#include "isthmus/core/dtype.h"
#include "isthmus/core/ops.h"

namespace isthmus::inline ISTHMUS_ABI {

/// One operation. `type` is the dtype it is calculated in: its operands have that dtype, but for
/// the condition of `where` (bool) and for astype, whose operand has `type` and whose result has
/// `result`. After the step the value is rounded to `result`. Of a step that reads by position, the
/// first operand is a base of `type`, and positions and counts are int64.
struct Step {
  Op op = Op::astype;
  TypeId type = TypeId::float32;
  TypeId result = TypeId::float32;
  std::uint16_t operands[3] = {};  ///< Earlier values of the tape.
  friend bool operator==(const Step&, const Step&) = default;
};

}  // namespace isthmus::inline ISTHMUS_ABI
