// sort.cpp: a sort to the program that is one.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Sort& work, const Node& node) {
  program_.sorting = work.sorting;
  const std::uint16_t value = map_.leaf(node.operands[0], TypeId::float32);
  for (int i = 1; i < node.operand_count; ++i)
    map_.leaf(node.operands[static_cast<std::size_t>(i)], TypeId::int64);
  return add_along(KernelShape::sort, value);
}

}  // namespace isthmus::inline ISTHMUS_ABI
