// product_kernel.h: the text of a kernel that multiplies matrices in tiles.
#pragma once

#include <cstdint>
#include <string>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Axes in front of matrices that one kernel goes through.
inline constexpr std::size_t axes_of_stack = 3;

/// The kernel's last parameter, laid out as its own struct: offsets and strides of the operands, in
/// elements, and the axes in front of the matrices, the last one fastest.
struct TiledOperands {
  std::int64_t x, y;
  std::int64_t rows, columns, inner;
  std::int64_t x_row, x_column, y_row, y_column;
  std::int64_t shape[axes_of_stack], x_stack[axes_of_stack], y_stack[axes_of_stack];
};

/// The kernel `product(x, y, out, operands)` in OpenCL C, for arrays of a dtype. A group is `group`
/// by `group` work-items along two axes; it makes a square of group * tile_of_item rows and columns
/// of the result. Groups are numbered along the first axis: columns fastest, then rows, then
/// matrices. Halves are summed in float32 and rounded once, integers wrap around, bools are joined
/// by "or" of "and".
std::string product_text(TypeId type, int group);

/// Elements of the result along each axis that a work-item makes.
inline constexpr int tile_of_item = 4;

}  // namespace isthmus::inline ISTHMUS_ABI
