// scan.cpp: a scan to the program that is one.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Scan& work, const Node& node) {
  return add_combination(KernelShape::scan, work, node);
}

}  // namespace isthmus::inline ISTHMUS_ABI
