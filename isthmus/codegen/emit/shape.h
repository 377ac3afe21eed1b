// shape.h: what is emitted for each shape of kernel.
#pragma once

#include "isthmus/codegen/emit/planner.h"
#include "isthmus/codegen/emit/printer.h"

namespace isthmus::emitting {

/// One for each row of shapes.def, each in a file of its own.
struct Shape {
  /// The loop of a form, and whether its positions are small.
  Form (*form)(const Program& program, const Launch& launch);
  /// The kernels.
  std::string (*print)(Printer& printer, const Traits& traits);
  /// What they are called with. The words are filled, but for its own.
  void (*plan)(Planner& planner);
  int words = 0;  ///< That it has beside extents, operands and scalars: Signature::own_word.
  bool writes_anywhere = false;  ///< Its one output has no strides: it calculates positions.
};

#define SHAPE(name, ...) extern const Shape name##_shape;
#include "isthmus/core/shapes.def"

const Shape& shape_of(const Program& program);

}  // namespace isthmus::emitting
