// emit.cpp: a program to source text.
#include "isthmus/codegen/emit.h"

#include "isthmus/codegen/emit/printer.h"

namespace isthmus::inline ISTHMUS_ABI {

std::string emit(const Program& program, const Traits& traits, Dialect dialect) {
  if (program.user) return emitting::with_complex_header(program.user->text);
  emitting::Printer printer(program, traits, emitting::language(dialect));
  return printer.source(program.shape == WorkShape::sort ? emitting::print_sort(printer)
                        : program.has_kept_axes()      ? emitting::print_reduction(printer, traits)
                        : program.store != Store::none ? emitting::print_store(printer)
                                                       : emitting::print_map(printer));
}

}  // namespace isthmus::inline ISTHMUS_ABI
