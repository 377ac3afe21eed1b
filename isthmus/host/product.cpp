// product.cpp: a tile of the result in registers, while rows of y go by.
#include "isthmus/host/product.h"

#include <cstring>

#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

constexpr int least_bytes = 16;

template <class T, std::size_t bytes>
struct Lanes {
  typedef T V __attribute__((vector_size(bytes)));
};

/// `height` rows of the result, and `width` vectors of columns of so many bytes.
template <class T, int height, int width, std::size_t bytes>
void tile(const SmallProduct& p, std::int64_t row, std::int64_t column) {
  using V = typename Lanes<T, bytes>::V;
  constexpr auto lanes = static_cast<std::int64_t>(bytes / sizeof(T));
  const T* x = static_cast<const T*>(p.x) + row * p.x_row;
  const T* y = static_cast<const T*>(p.y) + column;
  V sums[height][width] = {};
  for (std::int64_t k = 0; k < p.inner; ++k, x += p.x_column, y += p.y_row) {
    V of_y[width];
    for (int j = 0; j < width; ++j) std::memcpy(&of_y[j], y + j * lanes, sizeof(V));
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j) sums[i][j] += x[i * p.x_row] * of_y[j];
  }
  for (int i = 0; i < height; ++i)
    std::memcpy(static_cast<T*>(p.out) + (row + i) * p.columns + column, sums[i], sizeof sums[i]);
}

/// One element at a time, in the same order.
template <class T>
void element(const SmallProduct& p, std::int64_t row, std::int64_t column) {
  const T* x = static_cast<const T*>(p.x) + row * p.x_row;
  const T* y = static_cast<const T*>(p.y) + column;
  T sum = 0;
  for (std::int64_t k = 0; k < p.inner; ++k) sum += x[k * p.x_column] * y[k * p.y_row];
  static_cast<T*>(p.out)[row * p.columns + column] = sum;
}

template <class T, int height>
void rows(const SmallProduct& p, std::int64_t row) {
  constexpr auto lanes = static_cast<std::int64_t>(vector_bytes / sizeof(T));
  std::int64_t column = 0;
  for (; column + 2 * lanes <= p.columns; column += 2 * lanes)
    tile<T, height, 2, vector_bytes>(p, row, column);
  for (; column + lanes <= p.columns; column += lanes)
    tile<T, height, 1, vector_bytes>(p, row, column);
  if constexpr (vector_bytes >= 64)
    for (; column + lanes / 2 <= p.columns; column += lanes / 2)
      tile<T, height, 1, vector_bytes / 2>(p, row, column);
  if constexpr (vector_bytes >= 32)
    for (; column + least_bytes / std::int64_t{sizeof(T)} <= p.columns;
         column += least_bytes / std::int64_t{sizeof(T)})
      tile<T, height, 1, least_bytes>(p, row, column);
  for (; column < p.columns; ++column)
    for (int i = 0; i < height; ++i) element<T>(p, row + i, column);
}

template <class T>
void product(const SmallProduct& p) {
  std::int64_t row = 0;
  for (; row + 4 <= p.rows; row += 4) rows<T, 4>(p, row);
  for (; row < p.rows; ++row) rows<T, 1>(p, row);
}

}  // namespace

void fill_blocks(ProductTable& table);

void fill(ProductTable& table) {
  fill_blocks(table);
  table.of_float = product<float>;
  table.of_double = product<double>;
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
