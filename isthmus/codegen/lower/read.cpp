// read.cpp: a read by position to a step on a base.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Read& work, const Node& node) {
  TapeBuilder& tape = tape_of(node);
  return tape.row(work, node, [&](int i, TypeId type) { return value_of(tape, node, i, type); });
}

}  // namespace isthmus::inline ISTHMUS_ABI
