// emit.cpp: a program to source text.
#include "isthmus/codegen/emit.h"

#include "isthmus/codegen/emit/printer.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {
bool is_fp64(TypeId type) { return type == TypeId::float64 || type == TypeId::complex128; }
}  // namespace

std::string_view name_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::opencl_c: return "OpenCL C";
    case Dialect::sycl: return "SYCL";
    case Dialect::tape: return {};
  }
  return {};
}

bool needs_fp64(const Program& program) {
  for (const Tape* tape : {&program.map, &program.epilogue})
    for (const Step& step : tape->steps)
      if (is_fp64(step.type) || is_fp64(step.result)) return true;
  return program.has_kept_axes() && is_fp64(program.accumulator);
}

std::string emit(const Program& program, const Traits& traits) {
  if (program.user) return emitting::with_complex_header(program.user->text);
  emitting::Printer printer(program, traits, emitting::language(traits.dialect));
  return printer.source(program.shape == WorkShape::sort ? emitting::print_sort(printer)
                        : program.has_kept_axes()      ? emitting::print_reduction(printer, traits)
                        : program.store != Store::none ? emitting::print_store(printer)
                                                       : emitting::print_map(printer));
}

}  // namespace isthmus::inline ISTHMUS_ABI
