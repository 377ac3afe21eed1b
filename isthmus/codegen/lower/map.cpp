// map.cpp: a row of ops.def to a step.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Map& work, const Node& node) {
  TapeBuilder& tape = tape_of(node);
  return tape.row(work, node, [&](int i, TypeId type) { return value_of(tape, node, i, type); });
}

}  // namespace isthmus::inline ISTHMUS_ABI
