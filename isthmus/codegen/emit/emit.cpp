// emit.cpp: a program to source text.
#include "isthmus/codegen/emit.h"

#include "isthmus/codegen/emit/printer.h"

namespace isthmus::inline ISTHMUS_ABI {

std::string emit(const Program& program, const Traits& traits, Dialect dialect) {
  emitting::Printer printer(program, traits, emitting::language(dialect));
  const std::string kernels =
      program.reduction ? emitting::print_reduction(printer, traits) : emitting::print_map(printer);
  return printer.source(kernels);
}

}  // namespace isthmus::inline ISTHMUS_ABI
