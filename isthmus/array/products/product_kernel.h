// product_kernel.h: the texts of kernels that multiply matrices.
#pragma once

#include <cstdint>
#include <string>

#include "isthmus/core/dtype.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Axes in front of matrices that one kernel goes through.
inline constexpr std::size_t axes_of_stack = 3;

/// The kernel's last parameter, laid out as its own struct: offsets and strides of the operands, in
/// elements, and the axes in front of the matrices, the last one fastest.
struct ProductOperands {
  std::int64_t x, y;
  std::int64_t rows, columns, inner;
  std::int64_t x_row, x_column, y_row, y_column;
  std::int64_t shape[axes_of_stack], x_stack[axes_of_stack], y_stack[axes_of_stack];
};

/// A kernel `product(x, y, out, operands)` in OpenCL C, and what its groups make of the result:
/// squares or blocks, which are numbered along the first axis, matrices slowest. Halves are summed
/// in float32 and rounded once, integers wrap around, bools are joined by "or" of "and".
struct ProductText {
  std::string text;
  int length;                  ///< Work-items of a group along each of two axes.
  std::int64_t rows, columns;  ///< Of the result that a group makes.
};

/// Groups copy parts of the operands to local memory, which their `length` by `length` work-items
/// share, 4 by 4 elements of the result each.
ProductText product_in_tiles(TypeId type, int length);

/// Each work-item makes a block by itself, and waits for no other.
ProductText product_in_blocks(TypeId type);

}  // namespace isthmus::inline ISTHMUS_ABI
