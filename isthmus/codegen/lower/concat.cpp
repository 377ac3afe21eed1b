// concat.cpp: a value made of parts, which is no program.
#include "isthmus/graph/concat.h"
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Concat&, const Node&) {
  return 0;  // no kernel has one: see lower_concat()
}

/// The parts as inputs, for their errors, and the memory of those that are there already, if any:
/// an interrupt may have come between two parts.
void lower_concat(const Node& node, Lowered& result) {
  result.is_concat = true;
  for (int i = 0; i < node.operand_count; ++i) {
    const Ref<Storage>& part = node.operands[i].storage;
    if (part->is_ready()) result.whole = part->memory();
    result.inputs.emplace_back(part, part->layout);
  }
  result.outputs.emplace_back(Ref<Storage>::share(node.storage), node.storage->layout);
  result.context = node.storage->context;
}

void note_concat_of(const Node& part, Lowered& result) {
  const Node* const concat = concat_of(part);
  if (!concat) return;
  const Storage& whole = *concat->storage;
  result.concat = concat->group;
  result.whole_bytes = whole.layout.count() * whole.dtype.bytes();
}

}  // namespace isthmus::inline ISTHMUS_ABI
