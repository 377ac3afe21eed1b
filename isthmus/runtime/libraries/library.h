// library.h: a library on the host that multiplies matrices (a BLAS), found at run time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "isthmus/core/dtype.h"
#include "isthmus/core/layout.h"
#include "isthmus/host/product.h"
#include "isthmus/runtime/libraries/lapack.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How a BLAS reads a matrix of so many rows and columns with these strides in elements; `start` is
/// left to the caller. None if it needs a copy first.
std::optional<Matrix> matrix_of(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                std::int64_t column_stride);

/// The functions of one library. Lives as long as the process. Any thread.
class Blas {
 public:
  /// "OpenBLAS 0.3.34, /usr/lib/libopenblas.so.0"
  const std::string& name() const { return name_; }
  /// Whether it multiplies matrices of this type and shape: float32, float64, complex64 and
  /// complex128, up to 2^31-1 elements along an axis if its integers have 32 bits.
  bool takes(TypeId type, const ProductShape& shape) const;
  /// out = x y, row-major and dense. `type` is one that it takes; `out` overlaps neither operand.
  void multiply(TypeId type, const ProductShape& shape, const Matrix& x, const Matrix& y,
                void* out) const;
  /// The same of two rows and two columns or more, with the rows of `out` so many elements apart;
  /// `adds`: to what is there.
  void multiply_part(TypeId type, const ProductShape& shape, const Matrix& x, const Matrix& y,
                     void* out, std::int64_t out_step, bool adds) const;
  /// Whether it has add_symmetric() for such a type, which it takes.
  bool adds_symmetric(TypeId type) const;
  /// out += x x^T, of which only the elements on and above the diagonal are written. x has so many
  /// rows, two or more, and columns; `out` is row-major and dense.
  void add_symmetric(TypeId type, std::int64_t rows, std::int64_t columns, const Matrix& x,
                     void* out) const;
  /// The functions of LAPACK that it has; null if one of them is missing.
  const Lapack* lapack() const { return has_lapack_ ? &lapack_ : nullptr; }

 private:
  friend class BlasThreads;
  friend struct BlasSearch;

  std::string name_;
  bool has_wide_integers_ = false, has_lapack_ = false;
  Lapack lapack_;
  std::array<void*, 4> gemm_{}, gemv_{};        // by type
  std::array<void*, 4> syrk_{};                 // null: it has none
  void (*set_threads_)(int threads) = nullptr;  // null: it has no such function
  int (*threads_)() = nullptr;
};

/// While it lives, the library uses at most so many threads, or as many as parallel_for does. It
/// may be set to fewer, by its environment variables or by others that use it; it gets its number
/// back.
class BlasThreads {
 public:
  explicit BlasThreads(const Blas& blas);
  BlasThreads(const Blas& blas, int most);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;

 private:
  const Blas& blas_;
  int before_ = 0;  // 0: nothing to give back
};

/// The library that ISTHMUS_BLAS or set_blas() names, else the first of: an OpenBLAS that is in
/// the process already, the scipy-openblas64 package's, libopenblas.so.0, and libblas.so.3 if
/// that is OpenBLAS, BLIS or MKL. Null if there is none, or none is wanted. The first call looks
/// for it. Does not throw but for out_of_memory.
const Blas* blas();

}  // namespace isthmus::inline ISTHMUS_ABI
