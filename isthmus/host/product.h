// product.h: products of matrices, compiled for each instruction set.
#pragma once

#include <cstdint>

#include "isthmus/base/export.h"
#include "isthmus/core/dtype.h"

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

/// Products of matrices of one shape; strides in elements, of any sign.
struct StridedProduct {
  ProductShape shape;
  std::int64_t x_row, x_column, y_row, y_column;  ///< From one to the next.
};

/// Where the first elements of one product's operands lie, and of its result.
struct ProductPlace {
  const void *x, *y;
  void* out;
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

/// Part of a product of large matrices. Both operands are packed: in strips of as many rows of x,
/// and columns of y, as a tile of the result has, the numbers of a strip in the order of the inner
/// axis. The last strip is filled up with zeros.
struct PackedProduct {
  const void *rows, *columns;
  std::int64_t row_count, column_count, inner;
  void* out;
  std::int64_t out_step;  ///< Elements from one row of the result to the next.
  bool is_new;            ///< Whether the result begins at zero; else at what `out` has.
};

/// How products of one type are calculated. Integers wrap around, bools are joined by "or" of
/// "and"; sums go in the order of the inner axis, whatever the instruction set.
struct BlockTable {
  std::int64_t bytes;          ///< Of a packed number; 0 for a type that has no products.
  std::int64_t height, width;  ///< Of a tile.
  /// Packs (count, inner) elements in strips; strides in elements, of any sign.
  void (*pack_rows)(void* out, const void* from, std::int64_t count, std::int64_t inner,
                    std::int64_t stride, std::int64_t inner_stride);
  void (*pack_columns)(void* out, const void* from, std::int64_t count, std::int64_t inner,
                       std::int64_t stride, std::int64_t inner_stride);
  void (*multiply)(const PackedProduct& product);
};

/// Sums in an order that no instruction set changes: that of the inner axis, or, where y has one
/// column, partial sums first. Floats are rounded once behind a product and its addition where the
/// instruction set can.
struct ProductTable {
  void (*of_float)(const SmallProduct& product);
  void (*of_double)(const SmallProduct& product);
  BlockTable narrow[builtin_type_count];  ///< For results of few columns; by type.
  BlockTable wide[builtin_type_count];
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
