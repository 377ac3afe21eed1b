// library.cpp: calls of BLAS's functions, as Fortran has them.
#include "isthmus/runtime/libraries/library.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <cstring>
#include <limits>

#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

// Integers are passed by address. A library with 32 bits reads the lower half of ours.
static_assert(std::endian::native == std::endian::little);
using Integer = const std::int64_t*;

using Gemm = void (*)(const char* transpose_a, const char* transpose_b, Integer rows,
                      Integer columns, Integer inner, const void* alpha, const void* a,
                      Integer a_step, const void* b, Integer b_step, const void* beta, void* c,
                      Integer c_step, std::size_t length_a, std::size_t length_b);
using Gemv = void (*)(const char* transpose, Integer rows, Integer columns, const void* alpha,
                      const void* a, Integer a_step, const void* x, Integer x_step,
                      const void* beta, void* y, Integer y_step, std::size_t length);
using Syrk = void (*)(const char* triangle, const char* transpose, Integer rows, Integer columns,
                      const void* alpha, const void* a, Integer a_step, const void* beta, void* c,
                      Integer c_step, std::size_t length_triangle, std::size_t length_transpose);

struct Type {
  int index;          // in the tables of functions
  std::size_t bytes;  // of an element
  const void* one;
  const void* zero;
};

template <class T>
constexpr T numbers[2] = {T(0), T(1)};

template <class T>
Type type_of(int index) {
  return {index, sizeof(T), &numbers<T>[1], &numbers<T>[0]};
}

std::optional<Type> type_of(TypeId id) {
  switch (id) {
    case TypeId::float32: return type_of<float>(0);
    case TypeId::float64: return type_of<double>(1);
    case TypeId::complex64: return type_of<std::complex<float>>(2);
    case TypeId::complex128: return type_of<std::complex<double>>(3);
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Matrix> matrix_of(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                std::int64_t column_stride) {
  const auto fits = [](std::int64_t count, std::int64_t length, std::int64_t outer,
                       std::int64_t inner) {
    return (length <= 1 || inner == 1) &&
           (count <= 1 || outer >= std::max(length, std::int64_t{1}));
  };
  // the stride of an axis of length 1 means nothing
  if (fits(rows, columns, row_stride, column_stride))
    return Matrix{nullptr, rows <= 1 ? std::max(columns, std::int64_t{1}) : row_stride, false};
  if (fits(columns, rows, column_stride, row_stride))
    return Matrix{nullptr, columns <= 1 ? std::max(rows, std::int64_t{1}) : column_stride, true};
  return std::nullopt;
}

bool Blas::takes(TypeId type, const ProductShape& shape) const {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return type_of(type) && (has_wide_integers_ ||
                           (shape.rows <= most && shape.inner <= most && shape.columns <= most));
}

/// Fortran reads each matrix as its transpose, so it is asked for the transpose: y^T x^T.
void Blas::multiply_part(TypeId id, const ProductShape& shape, const Matrix& x, const Matrix& y,
                         void* out, std::int64_t out_step, bool adds) const {
  const Type type = *type_of(id);
  const auto letter = [](bool is_transposed) { return is_transposed ? "T" : "N"; };
  const auto gemm = reinterpret_cast<Gemm>(gemm_[static_cast<std::size_t>(type.index)]);
  gemm(letter(y.is_transposed), letter(x.is_transposed), &shape.columns, &shape.rows, &shape.inner,
       type.one, y.start, &y.step, x.start, &x.step, adds ? type.one : type.zero, out, &out_step, 1,
       1);
}

void Blas::multiply(TypeId id, const ProductShape& shape, const Matrix& x, const Matrix& y,
                    void* out) const {
  const Type type = *type_of(id);
  const auto index = static_cast<std::size_t>(type.index);
  const auto letter = [](bool is_transposed) { return is_transposed ? "T" : "N"; };
  const std::int64_t &rows = shape.rows, &inner = shape.inner, &columns = shape.columns;
  constexpr std::int64_t dense = 1;
  if (rows > 1 && columns > 1) return multiply_part(id, shape, x, y, out, columns, false);
  // some versions multiply what is there by beta, and NaN by 0 is NaN
  std::memset(out, 0, static_cast<std::size_t>(rows * columns) * type.bytes);
  const auto gemv = reinterpret_cast<Gemv>(gemv_[index]);
  const bool is_column = columns == 1;
  const Matrix& matrix = is_column ? x : y;
  const Matrix& vector = is_column ? y : x;
  // from one element of the vector to the next
  const std::int64_t& step = vector.is_transposed == is_column ? dense : vector.step;
  const std::int64_t& length = is_column ? rows : columns;
  const bool is_rows_of_inner = matrix.is_transposed != is_column;  // so Fortran has columns of it
  const std::int64_t& fast = is_rows_of_inner ? inner : length;
  const std::int64_t& slow = is_rows_of_inner ? length : inner;
  gemv(letter(is_rows_of_inner), &fast, &slow, type.one, matrix.start, &matrix.step, vector.start,
       &step, type.zero, out, &dense, 1);
}

bool Blas::adds_symmetric(TypeId id) const {
  return syrk_[static_cast<std::size_t>(type_of(id)->index)] != nullptr;
}

/// What lies above the diagonal is below it for Fortran.
void Blas::add_symmetric(TypeId id, std::int64_t rows, std::int64_t columns, const Matrix& x,
                         void* out) const {
  const Type type = *type_of(id);
  const auto syrk = reinterpret_cast<Syrk>(syrk_[static_cast<std::size_t>(type.index)]);
  syrk("L", x.is_transposed ? "N" : "T", &rows, &columns, type.one, x.start, &x.step, type.one, out,
       &rows, 1, 1);
}

BlasThreads::BlasThreads(const Blas& blas) : BlasThreads(blas, thread_count()) {}

BlasThreads::BlasThreads(const Blas& blas, int most) : blas_(blas) {
  if (!blas.set_threads_ || !blas.threads_) return;
  const int now = blas.threads_(), wanted = std::min(now, most);
  if (now == wanted) return;
  blas.set_threads_(wanted);
  before_ = now;
}

BlasThreads::~BlasThreads() {
  if (before_) blas_.set_threads_(before_);
}

}  // namespace isthmus::inline ISTHMUS_ABI
