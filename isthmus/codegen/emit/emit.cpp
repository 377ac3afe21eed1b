// emit.cpp: a program to source text, by its shape.
#include "isthmus/codegen/emit.h"

#include "isthmus/codegen/emit/shape.h"

namespace isthmus {

namespace emitting {

const Shape& shape_of(const Program& program) {
  static constexpr const Shape* shapes[] = {
#define SHAPE(name, ...) &name##_shape,
#include "isthmus/core/shapes.def"
  };
  return *shapes[static_cast<std::size_t>(program.shape)];
}

}  // namespace emitting

inline namespace ISTHMUS_ABI {

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
  printer.prelude.name_structs(program.structs);
  return printer.source(emitting::shape_of(program).print(printer, traits));
}

}  // namespace ISTHMUS_ABI
}  // namespace isthmus
