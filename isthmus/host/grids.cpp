// grids.cpp: rows of elements to dense ones and back, also where columns are dense.
#include <algorithm>
#include <cstring>
#include <utility>

#include "isthmus/host/element_sizes.h"
#include "isthmus/host/rows.h"
#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// Few bytes, without a call.
void copy_row(char* to, const char* from, std::int64_t bytes) {
  std::int64_t at = 0;
  for (; at + 32 <= bytes; at += 32) std::memcpy(to + at, from + at, 32);
  if (bytes & 16) std::memcpy(to + at, from + at, 16), at += 16;
  if (bytes & 8) std::memcpy(to + at, from + at, 8), at += 8;
  if (bytes & 4) std::memcpy(to + at, from + at, 4), at += 4;
  if (bytes & 2) std::memcpy(to + at, from + at, 2), at += 2;
  if (bytes & 1) to[at] = from[at];
}

/// As many vectors as each has elements. Their halves are interleaved, which takes one instruction
/// of vectors of 16 and 64 bytes.
template <class T, std::size_t bytes>
struct Square {
  static constexpr int side = static_cast<int>(bytes / sizeof(T));
  typedef T V __attribute__((vector_size(bytes)));

  template <std::size_t... lane>
  static V interleave(V x, V y, int half, std::index_sequence<lane...>) {
    constexpr int count = side;
    return half ? __builtin_shufflevector(
                      x, y, (static_cast<int>(lane / 2) + count / 2 + lane % 2 * count)...)
                : __builtin_shufflevector(x, y, (static_cast<int>(lane / 2) + lane % 2 * count)...);
  }

  /// to[i][k] = from[k][i], in rows that are so many bytes apart.
  static void turn(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride) {
    V v[side], next[side];
#pragma GCC unroll 16
    for (int k = 0; k < side; ++k) std::memcpy(&v[k], from + k * from_stride, sizeof(V));
#pragma GCC unroll 4
    for (int round = 1; round < side; round *= 2) {
#pragma GCC unroll 16
      for (int k = 0; k < side; ++k)
        next[k] = interleave(v[k / 2], v[k / 2 + side / 2], k % 2,
                             std::make_index_sequence<static_cast<std::size_t>(side)>());
#pragma GCC unroll 16
      for (int k = 0; k < side; ++k) v[k] = next[k];
    }
#pragma GCC unroll 16
    for (int k = 0; k < side; ++k) std::memcpy(to + k * to_stride, &v[k], sizeof(V));
  }
};

/// to[r][c] = from[c][r], of `rows` rows and `columns` columns: line by line of `to`, as many of
/// them at a time as a vector of so many bytes has elements.
template <class T, std::size_t bytes_of_vector>
void turn_squares(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
                  std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t side = Square<T, bytes_of_vector>::side, bytes = sizeof(T);
  for (std::int64_t r = 0; r < rows; r += side)
    for (std::int64_t c = 0; c < columns; c += side)
      Square<T, bytes_of_vector>::turn(to + r * to_stride + c * bytes, to_stride,
                                       from + c * from_stride + r * bytes, from_stride);
}

/// The same of any numbers of rows and columns.
template <class T, std::size_t bytes_of_vector>
void turn_by(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
             std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t bytes = sizeof(T);
  if constexpr (bytes_of_vector <= sizeof(T)) {
    for (std::int64_t c = 0; c < columns; ++c)
      for (std::int64_t r = 0; r < rows; ++r)
        std::memcpy(to + r * to_stride + c * bytes, from + c * from_stride + r * bytes, sizeof(T));
  } else {
    constexpr std::int64_t side = Square<T, bytes_of_vector>::side;
    constexpr std::size_t less = bytes_of_vector > 16 ? 16 : sizeof(T);
    const std::int64_t whole_rows = rows / side * side, whole_columns = columns / side * side;
    turn_squares<T, bytes_of_vector>(to, to_stride, from, from_stride, whole_rows, whole_columns);
    if (whole_rows < rows)
      turn_by<T, less>(to + whole_rows * to_stride, to_stride, from + whole_rows * bytes,
                       from_stride, rows - whole_rows, whole_columns);
    if (whole_columns < columns)
      turn_by<T, less>(to + whole_columns * bytes, to_stride, from + whole_columns * from_stride,
                       from_stride, rows, columns - whole_columns);
  }
}

/// The same with vectors that are cache lines where there are such, which are read and written at
/// once: rows 4 KB apart share places in the cache. At most 16, which are registers.
template <class T>
void turn(char* to, std::int64_t to_stride, const char* from, std::int64_t from_stride,
          std::int64_t rows, std::int64_t columns) {
  constexpr std::size_t most = 16 * sizeof(T), size = most < vector_bytes ? most : vector_bytes;
  turn_by<T, (sizeof(T) < 16 ? size : sizeof(T))>(to, to_stride, from, from_stride, rows, columns);
}

/// One side of a copy: bytes between rows, and between neighbours.
struct Strides {
  std::int64_t row, column;
};

template <class T>
void move_grid(char* to, Strides out, const char* from, Strides in, const Grid& grid) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  if (out.column == bytes && in.column == bytes) {
    for (std::int64_t r = 0; r < grid.rows; ++r)
      copy_row(to + r * out.row, from + r * in.row, grid.columns * bytes);
  } else if (out.column == bytes && in.row == bytes) {
    turn<T>(to, out.row, from, in.column, grid.rows, grid.columns);
  } else if (out.row == bytes && in.column == bytes) {
    turn<T>(to, out.column, from, in.row, grid.columns, grid.rows);
  } else {
    for (std::int64_t r = 0; r < grid.rows; ++r)
      for (std::int64_t c = 0; c < grid.columns; ++c)
        std::memcpy(to + r * out.row + c * out.column, from + r * in.row + c * in.column,
                    sizeof(T));
  }
}

template <class T>
Strides dense(const Grid& grid) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  return {grid.columns * bytes, bytes};
}

/// The first row of a dense grid to all others, of which twice as many are there after each copy.
void repeat_row(char* rows, std::int64_t bytes, std::int64_t count) {
  for (std::int64_t done = 1; done < count; done *= 2)
    std::memcpy(rows + done * bytes, rows,
                static_cast<std::size_t>(std::min(done, count - done) * bytes));
}

template <class T>
void gather_grid(void* out, const void* in, const Grid& grid) {
  if (grid.row_stride == 0 && grid.rows > 1) {
    gather_grid<T>(out, in, {0, grid.stride, 1, grid.columns});
    return repeat_row(static_cast<char*>(out), grid.columns * static_cast<std::int64_t>(sizeof(T)),
                      grid.rows);
  }
  move_grid<T>(static_cast<char*>(out), dense<T>(grid), static_cast<const char*>(in),
               {grid.row_stride, grid.stride}, grid);
}

template <class T>
void scatter_grid(void* out, const void* in, const Grid& grid) {
  move_grid<T>(static_cast<char*>(out), {grid.row_stride, grid.stride},
               static_cast<const char*>(in), dense<T>(grid), grid);
}

template <class T>
void copy_grid(void* out, std::int64_t row_stride, std::int64_t stride, const void* in,
               const Grid& grid) {
  move_grid<T>(static_cast<char*>(out), {row_stride, stride}, static_cast<const char*>(in),
               {grid.row_stride, grid.stride}, grid);
}

}  // namespace

void fill_grids(RowTable& table) {
  for_each_size([&]<class T>(int log2_bytes) {
    table.gather_grids[log2_bytes] = gather_grid<T>;
    table.scatter_grids[log2_bytes] = scatter_grid<T>;
    table.copy_grids[log2_bytes] = copy_grid<T>;
  });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
