// read.cpp: a read by position to a step on a base.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Read& work, const Node& node) {
  TapeBuilder& tape = tape_of(node);
  const bool is_load = work.op == Op::load;
  const bool has_any_bytes = is_load && has_foreign_bools(*node.operands[0].storage);
  Step step{work.op, work.type, node.storage->dtype.id, {}};
  if (has_any_bytes) step.type = step.result = TypeId::uint8;
  step.operands[0] = tape.base(node.operands[0], step.type);
  for (int i = 1; i < node.operand_count; ++i)
    step.operands[i] = cast_value_of(tape, node, i, is_load || i == 2 ? TypeId::int64 : work.type);
  const std::uint16_t value = tape.step(step);
  return has_any_bytes ? tape.cast(value, TypeId::bool_) : value;
}

}  // namespace isthmus::inline ISTHMUS_ABI
