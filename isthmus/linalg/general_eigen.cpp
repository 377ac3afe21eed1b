// general_eigen.cpp: eigenvalues and eigenvectors of any square matrices.
#include <algorithm>
#include <complex>

#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/each_eigen.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

template <class T>
class GeneralEigen {
  using Part = Real<T>;
  using Number = std::complex<Part>;
  static constexpr bool is_complex = is_complex_number<T>;

 public:
  /// `vectors` is null if they are not wanted.
  GeneralEigen(const HostWork& work, const Stack& x, const Stack& values, const Stack* vectors)
      : calls_(work.lapack()),
        n_(x.rows),
        x_(x),
        values_(values),
        vectors_(vectors),
        job_(vectors ? 'V' : 'N') {
    T wanted{};
    Part written{};  // a query writes there, too
    calls_.geev(job_, n_, nullptr, nullptr, nullptr, nullptr, &wanted, -1, &written);
    room_ = Calls<T>::room_of(wanted);
    work.check_extents({n_, room_, product_at_most(n_, n_)});
  }

  auto make_worker() const {
    return [this, a = room_for<T>(n_ * n_), own = room_for<T>(2 * n_),
            vectors = room_for<T>(vectors_ ? n_ * n_ : 1), work = room_for<T>(room_),
            real_work = room_for<Part>(2 * n_)](std::int64_t i) -> std::int64_t {
      gather_columns(x_, i, a.get());
      if (!is_finite(a.get(), n_ * n_)) return not_finite;
      Number* const values = values_.at<Number>(i);
      if constexpr (is_complex) {
        const std::int64_t info = calls_.geev(job_, n_, a.get(), values, nullptr, vectors.get(),
                                              work.get(), room_, real_work.get());
        if (vectors_) write(vectors.get(), vectors_->template at<Number>(i));
        return info;
      } else {
        T* const imaginary = own.get() + n_;
        const std::int64_t info = calls_.geev(job_, n_, a.get(), own.get(), imaginary,
                                              vectors.get(), work.get(), room_, real_work.get());
        for (std::int64_t j = 0; j < n_; ++j) values[j] = Number(own[j], imaginary[j]);
        if (vectors_) write_pairs(vectors.get(), imaginary, vectors_->template at<Number>(i));
        return info;
      }
    };
  }

 private:
  void write(const T* columns, Number* rows) const {
    for (std::int64_t j = 0; j < n_; ++j)
      for (std::int64_t i = 0; i < n_; ++i) rows[i * n_ + j] = columns[j * n_ + i];
  }
  /// Of a real matrix a value that is not real is followed by its conjugate; their vectors, too, of
  /// which one column has the real parts and the next one the imaginary parts.
  void write_pairs(const T* columns, const T* imaginary, Number* rows) const {
    for (std::int64_t j = 0; j < n_; ++j) {
      const T *const here = columns + j * n_, *const next = here + n_;
      if (imaginary[j] == 0 || j + 1 == n_) {
        for (std::int64_t i = 0; i < n_; ++i) rows[i * n_ + j] = Number(here[i]);
        continue;
      }
      for (std::int64_t i = 0; i < n_; ++i) {
        rows[i * n_ + j] = Number(here[i], next[i]);
        rows[i * n_ + j + 1] = Number(here[i], -next[i]);
      }
      ++j;
    }
  }

  const Calls<T> calls_;
  const std::int64_t n_;
  const Stack &x_, &values_;
  const Stack* const vectors_;
  const char job_;
  std::int64_t room_ = 1;
};

Eigen decompose_general(std::string_view who, const Array& given, bool has_vectors) {
  const Array x = square_of(who, given);
  const InContextOf meanwhile(x);
  const bool is_wide = real_part(x.dtype()) == DType(TypeId::float64);
  const DType dtype = is_wide ? TypeId::complex128 : TypeId::complex64;
  return each_eigen({who, x, dtype, dtype, has_vectors, 20},
                    []<class T>(T, const auto&... stacks) { return GeneralEigen<T>(stacks...); });
}

}  // namespace

Eigen eig(const Array& x) { return decompose_general("eig", x, true); }

Array eigvals(const Array& x) { return decompose_general("eigvals", x, false).eigenvalues; }

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
