// product.h: products of small matrices, compiled for each instruction set.
#pragma once

#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A matrix in the host's memory as a BLAS reads it: its rows lie `step` elements apart and the
/// elements of a row one after another. If it is transposed, its columns do.
struct Matrix {
  const void* start = nullptr;
  std::int64_t step = 1;
  bool is_transposed = false;
};

/// (rows, inner) times (inner, columns). All are 1 or more.
struct ProductShape {
  std::int64_t rows = 1, inner = 1, columns = 1;
};

}  // namespace isthmus::inline ISTHMUS_ABI

namespace isthmus::inline ISTHMUS_ABI::host {

/// Both operands of a product of (rows, inner) and (inner, columns); strides in elements. The
/// columns of y lie one after another.
struct SmallProduct {
  std::int64_t rows, inner, columns;
  const void* x;
  std::int64_t x_row, x_column;  ///< From one row, and one column, to the next.
  const void* y;
  std::int64_t y_row;
  void* out;  ///< Row-major and dense.
};

/// Sums in the order of the inner axis, whatever the instruction set.
struct ProductTable {
  void (*of_float)(const SmallProduct& product);
  void (*of_double)(const SmallProduct& product);
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
