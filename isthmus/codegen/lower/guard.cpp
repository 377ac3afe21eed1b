// guard.cpp: a check to what the kernel relies on; if it stops writes, to a choice of
// positions.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Guard& work, const Node& node) {
  TapeBuilder& tape = tape_of(node);
  const std::uint16_t positions = cast_value_of(tape, node, 0, TypeId::int64);
  result_.checks.push_back({work.check, node.operands[1].storage});
  if (!work.check->stops_writes) return positions;
  const auto number = [&](std::int64_t value) {
    Operand operand;
    operand.kind = Operand::Kind::scalar;
    operand.scalar = Scalar::of(value);
    return tape.leaf(operand, TypeId::int64);
  };
  const std::uint16_t found = tape.leaf(node.operands[1], TypeId::int64);
  const std::uint16_t is_right =
      tape.step({Op::equal, TypeId::int64, TypeId::bool_, {found, number(Finding::nothing), 0}});
  return tape.step({Op::where, TypeId::int64, TypeId::int64, {is_right, positions, number(-1)}});
}

}  // namespace isthmus::inline ISTHMUS_ABI
