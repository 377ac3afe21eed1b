// map.cpp: a row of ops.def to a step.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Map& work, const Node& node) {
  TapeBuilder& tape = tape_of(node);
  const DType dtype = node.storage->dtype;
  if (work.op == Op::astype) {
    const std::uint16_t value = value_of(tape, node, 0, work.type);
    return dtype.is_builtin() ? tape.cast(value, dtype.id) : value;
  }
  Step step{work.op, work.type, dtype.id, {}};
  for (int i = 0; i < node.operand_count; ++i)
    step.operands[i] = cast_value_of(tape, node, i, operand_type(work.op, i, work.type));
  return tape.step(step);
}

}  // namespace isthmus::inline ISTHMUS_ABI
