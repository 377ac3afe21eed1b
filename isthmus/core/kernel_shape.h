// kernel_shape.h: the rows of shapes.def as an enum and as data.
#pragma once

#include <array>

#include "isthmus/core/ops.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What becomes of the elements that a kernel works on: a row of shapes.def.
enum class KernelShape : std::uint8_t {
#define SHAPE(name, ...) name,
#include "isthmus/core/shapes.def"
};

/// What comes of equal positions that a store writes to.
enum class Store : std::uint8_t {
  any_order,  ///< no two positions are equal
  in_order,   ///< of equal positions the last one in the order of the loop is written
  sum,        ///< what is there and all values of the position are added up: integers
};

/// A row of shapes.def.
struct ShapeInfo {
  std::string_view name;
  bool is_along;   ///< It works along some axes of the loop and keeps the others.
  bool gives_all;  ///< Of one that does: it gives an element for each that it reads.
};
inline constexpr std::array all_shapes{
#define SHAPE(name, is_along, gives_all) ShapeInfo{#name, is_along, gives_all},
#include "isthmus/core/shapes.def"
};
constexpr const ShapeInfo& info(KernelShape shape) {
  return all_shapes[static_cast<std::size_t>(shape)];
}

/// What an operation is called: "sum", "cumulative_sum", "argsort"; else as its shape.
constexpr std::string_view name_of(KernelShape shape, Reduction reduction, const Sorting& sorting) {
  if (shape == KernelShape::reduce) return info(reduction).name;
  if (shape == KernelShape::scan) return scan_name(reduction);
  if (shape == KernelShape::sort) return name_of(sorting);
  return info(shape).name;
}

}  // namespace isthmus::inline ISTHMUS_ABI
