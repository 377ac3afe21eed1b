// packed_product.cpp: packed strips of two matrices, multiplied tile by tile in registers.
#include <cstring>

#include "isthmus/host/product.h"
#include "isthmus/host/vector.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// How elements lie in memory, and are packed and multiplied: bytes as 16 bits, which instruction
/// sets multiply, since the lower halves of products and sums are those of bytes.
template <class S, class T>
struct Plain {
  using Stored = S;
  using Value = T;
  static constexpr int parts = 1;
  static void read(const void* from, std::int64_t at, T* out, std::int64_t) {
    *out = static_cast<T>(static_cast<const S*>(from)[at]);
  }
  static void write(void* to, std::int64_t at, const T* in, std::int64_t) {
    static_cast<S*>(to)[at] = static_cast<S>(*in);
  }
  template <class V>
  static void add(V* sum, const T* x, std::int64_t, const V* y, int) {
    *sum += *x * *y;
  }
};

struct Boolean : Plain<std::uint8_t, std::uint8_t> {
  template <class V>
  static void add(V* sum, const std::uint8_t* x, std::int64_t, const V* y, int) {
    *sum |= *x & *y;
  }
};

/// Complex numbers: real parts of a strip, then the imaginary ones.
template <class T>
struct Complex {
  using Stored = T[2];
  using Value = T;
  static constexpr int parts = 2;
  static void read(const void* from, std::int64_t at, T* out, std::int64_t step) {
    out[0] = static_cast<const T*>(from)[2 * at];
    out[step] = static_cast<const T*>(from)[2 * at + 1];
  }
  static void write(void* to, std::int64_t at, const T* in, std::int64_t step) {
    static_cast<T*>(to)[2 * at] = in[0];
    static_cast<T*>(to)[2 * at + 1] = in[step];
  }
  template <class V>
  static void add(V* sum, const T* x, std::int64_t x_step, const V* y, int y_step) {
    sum[0] += x[0] * y[0] - x[x_step] * y[y_step];
    sum[1] += x[0] * y[y_step] + x[x_step] * y[0];
  }
};

constexpr bool has_many_registers = vector_bytes == 64;

/// A tile of the result: rows, and vectors of columns.
template <class N, int vectors_of_columns>
struct Tile {
  using T = typename N::Value;
  typedef T V __attribute__((vector_size(vector_bytes)));
  static constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
  static constexpr int height = N::parts == 1 && has_many_registers ? 8 : 4;
  static constexpr int vectors = vectors_of_columns;
  static constexpr int width = vectors * lanes;
  static constexpr int strip = height * N::parts;

  template <int count>
  static void pack(void* out, const void* from, std::int64_t length, std::int64_t inner,
                   std::int64_t stride, std::int64_t inner_stride) {
    T* to = static_cast<T*>(out);
    for (std::int64_t first = 0; first < length; first += count) {
      const std::int64_t here = length - first < count ? length - first : count;
      if (here < count) std::memset(to, 0, sizeof(T) * count * N::parts * inner);
      if (stride == 1 && here == count) {
        for (std::int64_t k = 0; k < inner; ++k)
          for (int i = 0; i < count; ++i)
            N::read(from, first + i + k * inner_stride, to + k * count * N::parts + i, count);
      } else {
        for (std::int64_t i = 0; i < here; ++i)
          for (std::int64_t k = 0; k < inner; ++k)
            N::read(from, (first + i) * stride + k * inner_stride, to + k * count * N::parts + i,
                    count);
      }
      to += inner * count * N::parts;
    }
  }

  /// sums += x y, of one strip of each; sums are rows of vectors, parts apart.
  static void run(T* tile, const T* x, const T* y, std::int64_t inner) {
    V sums[height][vectors][N::parts];
    std::memcpy(sums, tile, sizeof sums);
    for (std::int64_t k = 0; k < inner; ++k, x += strip, y += width * N::parts) {
      V of_y[N::parts][vectors];
      std::memcpy(of_y, y, sizeof of_y);
#pragma GCC unroll 8
      for (int i = 0; i < height; ++i)
#pragma GCC unroll 2
        for (int j = 0; j < vectors; ++j) N::add(sums[i][j], x + i, height, &of_y[0][j], vectors);
    }
    std::memcpy(tile, sums, sizeof sums);
  }

  static void multiply(const PackedProduct& p) {
    const T* columns = static_cast<const T*>(p.columns);
    for (std::int64_t column = 0; column < p.column_count; column += width) {
      const std::int64_t wide = p.column_count - column < width ? p.column_count - column : width;
      const T* rows = static_cast<const T*>(p.rows);
      for (std::int64_t row = 0; row < p.row_count; row += height, rows += strip * p.inner) {
        const std::int64_t high = p.row_count - row < height ? p.row_count - row : height;
        alignas(64) T tile[height][vectors][N::parts][lanes] = {};
        const auto each = [&](auto f) {
          for (std::int64_t i = 0; i < high; ++i)
            for (std::int64_t j = 0; j < wide; ++j)
              f((row + i) * p.out_step + column + j, &tile[i][j / lanes][0][j % lanes]);
        };
        if (!p.is_new) each([&](std::int64_t at, T* number) { N::read(p.out, at, number, lanes); });
        run(&tile[0][0][0][0], rows, columns, p.inner);
        each([&](std::int64_t at, T* number) { N::write(p.out, at, number, lanes); });
      }
      columns += width * N::parts * p.inner;
    }
  }
};

template <class N, int vectors>
BlockTable table_of() {
  using Made = Tile<N, vectors>;
  return {N::parts * std::int64_t{sizeof(typename N::Value)},
          Made::height,
          Made::width,
          Made::template pack<Made::height>,
          Made::template pack<Made::width>,
          Made::multiply};
}

template <class N>
void fill(ProductTable& table, std::initializer_list<TypeId> types) {
  for (const TypeId type : types) {
    table.narrow[static_cast<int>(type)] = table_of<N, 1>();
    table.wide[static_cast<int>(type)] = table_of<N, 2>();
  }
}

}  // namespace

void fill_blocks(ProductTable& table) {
  fill<Boolean>(table, {TypeId::bool_});
  fill<Plain<std::uint8_t, std::uint16_t>>(table, {TypeId::int8, TypeId::uint8});
  fill<Plain<std::uint16_t, std::uint16_t>>(table, {TypeId::int16, TypeId::uint16});
  fill<Plain<std::uint32_t, std::uint32_t>>(table, {TypeId::int32, TypeId::uint32});
  fill<Plain<std::uint64_t, std::uint64_t>>(table, {TypeId::int64, TypeId::uint64});
  fill<Plain<float, float>>(table, {TypeId::float32});
  fill<Plain<double, double>>(table, {TypeId::float64});
  fill<Complex<float>>(table, {TypeId::complex64});
  fill<Complex<double>>(table, {TypeId::complex128});
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
