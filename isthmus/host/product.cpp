// product.cpp: a tile of the result in registers, while rows of y go by.
#include "isthmus/host/product.h"

#include <cstring>
#include <utility>

#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

constexpr int least_bytes = 16;

template <class T, std::size_t bytes>
struct Lanes {
  typedef T V __attribute__((vector_size(bytes)));
};
template <class T>
struct Lanes<T, sizeof(T)> {
  using V = T;  // compilers move vectors of one number through other registers
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
  const std::int64_t out_step = p.columns;
  T* const out = static_cast<T*>(p.out) + row * out_step + column;
  const auto store = [&]<std::size_t... at>(std::index_sequence<at...>) {
    // No loop: g++ would keep `sums` in memory for its indices.
    const auto put = [&](std::int64_t i, std::int64_t j, V sum) {
      std::memcpy(out + i * out_step + j * lanes, &sum, sizeof sum);
    };
    (put(at / width, at % width, sums[at / width][at % width]), ...);
  };
  store(std::make_index_sequence<height * width>());
}

template <class T, int height>
void rows(const SmallProduct& p, std::int64_t row) {
  constexpr auto lanes = static_cast<std::int64_t>(vector_bytes / sizeof(T));
  std::int64_t column = 0;
  if constexpr (height == 1)  // as many sums at once as others have in their rows
    for (; column + 8 * lanes <= p.columns; column += 8 * lanes)
      tile<T, height, 8, vector_bytes>(p, row, column);
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
  if constexpr (least_bytes > 2 * sizeof(T))
    for (; column + 2 <= p.columns; column += 2) tile<T, height, 1, 2 * sizeof(T)>(p, row, column);
  for (; column < p.columns; ++column) tile<T, height, 1, sizeof(T)>(p, row, column);
}

/// Bytes of the partial sums of a row, whatever the instruction set.
constexpr std::size_t sums_bytes = 64;

/// The sum of the numbers of a vector: those of its halves are added first.
template <class T, std::size_t bytes, std::size_t... lane>
T total(const typename Lanes<T, bytes>::V& v, std::index_sequence<lane...>) {
  if constexpr (sizeof...(lane) == 1) {
    return v[0] + v[1];
  } else {
    constexpr std::size_t half = sizeof...(lane);
    return total<T, bytes / 2>(__builtin_shufflevector(v, v, static_cast<int>(lane)...) +
                                   __builtin_shufflevector(v, v, static_cast<int>(lane + half)...),
                               std::make_index_sequence<half / 2>());
  }
}

/// Rows times a single column, where the numbers of both lie one after another.
template <class T, int height>
void dots(const SmallProduct& p, std::int64_t row) {
  using V = typename Lanes<T, vector_bytes>::V;
  constexpr int width = sums_bytes / vector_bytes;
  constexpr auto step = static_cast<std::int64_t>(vector_bytes / sizeof(T));
  const T *x = static_cast<const T*>(p.x) + row * p.x_row, *y = static_cast<const T*>(p.y);
  V sums[height][width] = {};
  T rest[height] = {};
  std::int64_t k = 0;
  for (; k + width * step <= p.inner; k += width * step) {
    for (int j = 0; j < width; ++j) {
      V of_x, of_y;
      std::memcpy(&of_y, y + k + j * step, sizeof(V));
      for (int i = 0; i < height; ++i) {
        std::memcpy(&of_x, x + i * p.x_row + k + j * step, sizeof(V));
        sums[i][j] += of_x * of_y;
      }
    }
  }
  for (; k < p.inner; ++k)
    for (int i = 0; i < height; ++i) rest[i] += x[i * p.x_row + k] * y[k];
  for (int i = 0; i < height; ++i) {
    for (int half = width / 2; half > 0; half /= 2)
      for (int j = 0; j < half; ++j) sums[i][j] += sums[i][j + half];
    static_cast<T*>(p.out)[row + i] =
        total<T, vector_bytes>(sums[i][0], std::make_index_sequence<step / 2>()) + rest[i];
  }
}

template <class T>
void product(const SmallProduct& p) {
  std::int64_t row = 0;
  if (p.columns == 1 && p.x_column == 1 && p.y_row == 1) {
    constexpr int height = vector_bytes > 16 ? 4 : 2;  // so that the sums stay in registers
    for (; row + height <= p.rows; row += height) dots<T, height>(p, row);
    for (; row < p.rows; ++row) dots<T, 1>(p, row);
    return;
  }
  if constexpr (vector_bytes == 64)  // which has registers for twice as many sums
    for (; row + 8 <= p.rows; row += 8) rows<T, 8>(p, row);
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
