// symmetric.cpp: one triangle by the library, the other one as its mirror image.
#include "isthmus/array/products/symmetric.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "isthmus/threads/executor.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Copies the triangle above the diagonal to the one below, in blocks that stay in the cache.
template <class T>
void mirror(T* matrix, std::int64_t n) {
  constexpr std::int64_t side = 32;
  const auto rows_of = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin * side; row < std::min(end * side, n); row += side)
      for (std::int64_t column = 0; column <= row; column += side)
        for (std::int64_t i = row; i < std::min(row + side, n); ++i)
          for (std::int64_t j = column; j < std::min(column + side, i); ++j)
            matrix[i * n + j] = matrix[j * n + i];
  };
  parallel_for((n + side - 1) / side, 1, rows_of);
}

}  // namespace

bool is_own_transpose(const ProductShape& shape, const Matrix& x, const Matrix& y) {
  return shape.rows == shape.columns && x.start == y.start && x.step == y.step &&
         x.is_transposed != y.is_transposed;
}

void multiply_symmetric(const Blas& blas, TypeId type, const ProductShape& shape, const Matrix& x,
                        void* out, std::int64_t most_of_call) {
  const std::int64_t n = shape.rows, bytes = info(type).bits / 8;
  const std::int64_t most = std::max<std::int64_t>(most_of_call / n / n, 1);
  const auto clear = [&](std::int64_t begin, std::int64_t end) {
    std::memset(static_cast<char*>(out) + begin * n * bytes, 0,
                static_cast<std::size_t>((end - begin) * n * bytes));
  };
  parallel_for(n, std::max<std::int64_t>((1 << 20) / (n * bytes), 1), clear);
  for (std::int64_t first = 0; first < shape.inner; first += most) {
    Matrix part = x;
    part.start = static_cast<const char*>(x.start) + first * (x.is_transposed ? x.step : 1) * bytes;
    blas.add_symmetric(type, n, std::min(most, shape.inner - first), part, out);
    listen();
  }
  switch (bytes) {
    case 4: return mirror(static_cast<std::uint32_t*>(out), n);
    case 8: return mirror(static_cast<std::uint64_t*>(out), n);
    default: return mirror(static_cast<std::pair<std::uint64_t, std::uint64_t>*>(out), n);
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
