// reduce.cpp: the kernels of a reduction.
#include "isthmus/base/error.h"
#include "isthmus/codegen/emit/printer.h"

namespace isthmus::emitting {

std::string print_reduction(Printer&, const Traits&) {
  fail(Errc::unsupported, "emit: no reductions yet");
}

}  // namespace isthmus::emitting
