// store.cpp: a write by position to two outputs.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Store& work, const Node& node) {
  TapeBuilder& tape = tape_of(node);
  const std::uint16_t value = cast_value_of(tape, node, 0, work.type);
  position_ = cast_value_of(tape, node, 1, TypeId::int64);
  program_.shape = KernelShape::store;
  program_.store = work.how;
  return value;
}

}  // namespace isthmus::inline ISTHMUS_ABI
