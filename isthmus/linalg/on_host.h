// on_host.h: stacks of matrices, on which LAPACK works where the host reaches them.
#pragma once

#include <atomic>
#include <complex>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/array/place.h"
#include "isthmus/core/internal.h"
#include "isthmus/runtime/libraries/library.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

using isthmus::detail::format;

/// Throws ValueError for fewer than two axes.
void check_matrix(std::string_view who, const Array& x);
/// The matrices of an array in a dtype of LAPACK: float32, float64, complex64, complex128; of
/// integers and bools the default real dtype. Throws ValueError for fewer than two axes, TypeError
/// for other dtypes.
Array matrices_of(std::string_view who, const Array& x);
/// The same, which must be square. Throws ValueError.
Array square_of(std::string_view who, const Array& x);
/// The dtype of LAPACK that holds several. Throws TypeError.
DType lapack_dtype(std::string_view who, DType dtype, const Device& device);
/// The axes in front of the last `own`.
Shape in_front_of(const Array& x, int own = 2);
/// Those, and others behind them.
Shape with_axes(Shape shape, std::initializer_list<std::int64_t> more);

/// New memory. Throws as empty(), in the name of `who`.
Array empty_for(std::string_view who, const Shape& shape, DType dtype, const Device& device);
/// The same; identity matrices, if it has elements. Of what is made of matrices without any.
Array empty_or_identities(std::string_view who, const Shape& shape, DType dtype,
                          const Device& device);

/// f(T()) of the type of the elements.
template <class F>
auto with_type(DType dtype, F f) {
  switch (dtype.id) {
    case TypeId::float32: return f(float());
    case TypeId::complex64: return f(std::complex<float>());
    case TypeId::complex128: return f(std::complex<double>());
    default: return f(double());
  }
}

/// Elements that nobody has set. Throws bad_alloc.
template <class T>
std::unique_ptr<T[]> room_for(std::int64_t count) {
  return std::make_unique_for_overwrite<T[]>(
      static_cast<std::size_t>(std::max(count, std::int64_t{1})));
}

/// Evaluates x. Throws UnsupportedError unless the host can reach its memory.
void make_reachable(std::string_view who, const Array& x);

/// Where the elements of each matrix, or vector, of a stack lie.
class Stack {
 public:
  /// The last `own` axes are those of one; those in front broadcast to `front`. Reachable.
  Stack(const Array& x, const Shape& front, int own = 2);
  /// The first element of the i-th one, in row-major order of `front`.
  template <class T>
  T* at(std::int64_t i) const {
    return reinterpret_cast<T*>(place(i));
  }
  /// In elements; of a vector, of which each element is a row, the second one is 0.
  std::int64_t rows, columns, row_stride, column_stride;

 private:
  char* place(std::int64_t i) const;

  char* start_ = nullptr;
  Dims front_, strides_;  // in bytes
};

/// The elements of a dense array that is reachable.
template <class T>
T* elements_of(const Array& x) {
  return static_cast<T*>(x.storage()->memory()->host) + x.layout().offset;
}

/// Copies `slow` runs of `fast` elements to runs that lie `step` elements apart.
template <class T>
void gather(const T* from, std::int64_t slow, std::int64_t fast, std::int64_t slow_stride,
            std::int64_t fast_stride, T* to, std::int64_t step) {
  if (fast_stride == 1 || slow == 1) {
    for (std::int64_t i = 0; i < slow; ++i)
      for (std::int64_t j = 0; j < fast; ++j)
        to[i * step + j] = from[i * slow_stride + j * fast_stride];
    return;
  }
  constexpr std::int64_t side = 16;  // blocks that stay in the cache, both ways
  for (std::int64_t i = 0; i < slow; i += side)
    for (std::int64_t j = 0; j < fast; j += side)
      for (std::int64_t row = i; row < std::min(i + side, slow); ++row)
        for (std::int64_t column = j; column < std::min(j + side, fast); ++column)
          to[row * step + column] = from[row * slow_stride + column * fast_stride];
}
/// The i-th matrix, row by row, or with its rows as columns.
template <class T>
void gather_rows(const Stack& x, std::int64_t i, T* to) {
  gather(x.at<const T>(i), x.rows, x.columns, x.row_stride, x.column_stride, to, x.columns);
}
template <class T>
void gather_columns(const Stack& x, std::int64_t i, T* to) {
  gather(x.at<const T>(i), x.columns, x.rows, x.column_stride, x.row_stride, to, x.rows);
}

/// Whether all are finite: LAPACK's iterations may not end otherwise.
template <class T>
bool is_finite(const T* elements, std::int64_t count) {
  // a sum of products by zero is zero, or NaN
  decltype(std::real(T())) sum = 0;
  for (std::int64_t i = 0; i < count; ++i)
    sum += std::real(elements[i]) * 0 + std::imag(elements[i]) * 0;
  return sum == 0;
}
/// What a worker of HostWork returns for a matrix that is not.
inline constexpr std::int64_t not_finite = std::int64_t{1} << 62;

/// The first matrix of a stack for which LAPACK did not succeed, and its number for that.
struct Failure {
  std::int64_t matrix, info;
};

/// One call, which works on the matrices of stacks.
class HostWork {
 public:
  /// Throws UnsupportedError if there is no LAPACK.
  explicit HostWork(std::string_view who);
  const Lapack& lapack() const { return *blas_.lapack(); }
  /// Throws UnsupportedError for extents, and for products of them, that the integers of the
  /// library do not hold.
  void check_extents(std::initializer_list<std::int64_t> extents) const;

  /// Calls worker(i), which returns LAPACK's `info`, for each of `count` matrices, of which each
  /// takes so many operations; make_worker() makes one for each thread, with the memory that it
  /// works in. On the library's threads, or if matrices are small on ours. Waits for the arrays,
  /// and without the GIL. All arrays are reachable. Throws OutOfMemoryError, and what the arrays
  /// have failed by.
  template <class MakeWorker>
  std::optional<Failure> run(std::span<const Array> reads, std::span<const Array> writes,
                             std::int64_t count, std::int64_t operations,
                             MakeWorker make_worker) const {
    Result result;
    const auto some = [&](std::int64_t begin, std::int64_t end) {
      try {
        auto worker = make_worker();
        for (std::int64_t i = begin; i < end; ++i)
          if (const std::int64_t info = worker(i)) result.note(i, info);
      } catch (const std::bad_alloc&) {
        result.has_memory = false;
      }
    };
    run_chunks(reads, writes, count, operations, some);
    return finish(result);
  }

 private:
  struct Result {
    void note(std::int64_t matrix, std::int64_t info) {
      const std::lock_guard lock(mutex);
      if (!first || matrix < first->matrix) first = Failure{matrix, info};
    }
    std::mutex mutex;
    std::optional<Failure> first;
    std::atomic<bool> has_memory{true};
  };

  void run_chunks(std::span<const Array> reads, std::span<const Array> writes, std::int64_t count,
                  std::int64_t operations, ChunkFunction some) const;
  std::optional<Failure> finish(const Result& result) const;

  std::string_view who_;
  const Blas& blas_;
};

/// "the matrix", or "matrix (0, 2) of the stack".
std::string which(std::int64_t i, const Shape& front);
/// Throws LinAlgError: what is said of the matrix, "is singular".
[[noreturn]] void fail_with(std::string_view who, const Failure& failure, const Shape& front,
                            std::string_view what);

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
