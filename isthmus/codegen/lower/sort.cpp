// sort.cpp: a sort to the program that is one.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Sort& work, const Node& node) {
  program_.sorting = work.sorting;
  return add_along(KernelShape::sort, map_.leaf(node.operands[0], TypeId::float32));
}

}  // namespace isthmus::inline ISTHMUS_ABI
