// reduce.cpp: a reduction to the program that is one.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Reduce& work, const Node& node) {
  program_.reduction = work.reduction;
  program_.combine = work.function;
  return add_along(KernelShape::reduce, cast_value_of(map_, node, 0, work.type));
}

}  // namespace isthmus::inline ISTHMUS_ABI
