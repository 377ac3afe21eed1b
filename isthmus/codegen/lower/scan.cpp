// scan.cpp: a scan to the program that is one.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Scan& work, const Node& node) {
  program_.reduction = work.reduction;
  program_.combine = work.function;
  return add_along(KernelShape::scan, cast_value_of(map_, node, 0, work.type));
}

}  // namespace isthmus::inline ISTHMUS_ABI
