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

std::string emit(const Program& program, const Traits& traits, Dialect dialect) {
  if (program.user) return emitting::with_complex_header(program.user->text);
  emitting::Printer printer(program, traits, emitting::language(dialect));
  return printer.source(emitting::shape_of(program).print(printer, traits));
}

}  // namespace ISTHMUS_ABI
}  // namespace isthmus
