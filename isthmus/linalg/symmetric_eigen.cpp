// symmetric_eigen.cpp: eigenvalues and eigenvectors of symmetric and Hermitian matrices.
#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/each_eigen.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

template <class T>
class SymmetricEigen {
 public:
  /// `vectors` is null if they are not wanted; the rows of its matrices become the vectors.
  SymmetricEigen(const HostWork& work, const Stack& x, const Stack& values, const Stack* vectors,
                 Triangle triangle)
      : calls_(work.lapack()),
        x_(x),
        values_(values),
        vectors_(vectors),
        job_(vectors ? 'V' : 'N'),
        triangle_(triangle == Triangle::lower ? 'L' : 'U') {
    T wanted{};
    Real<T> wanted_real{};
    std::int64_t wanted_integers = 0;
    const Room query{-1, -1, -1};
    calls_.syevd(job_, triangle_, x.rows, nullptr, nullptr, &wanted, &wanted_real, &wanted_integers,
                 query);
    room_.work = Calls<T>::room_of(wanted);
    room_.real_work = Calls<Real<T>>::room_of(wanted_real);
    room_.integers = std::max(work.lapack().integer(wanted_integers), std::int64_t{1});
    const std::int64_t square = product_at_most(x.rows, x.rows);
    work.check_extents({x.rows, square, room_.work, room_.real_work,
                        vectors ? product_at_most(2 * x.rows + 6, x.rows) + 1 : 1});
  }

  auto make_worker() const {
    return [this, own = room_for<T>(vectors_ ? 0 : x_.rows * x_.rows),
            work = room_for<T>(room_.work), real_work = room_for<Real<T>>(room_.real_work),
            integers = room_for<std::int64_t>(room_.integers)](std::int64_t i) -> std::int64_t {
      T* const a = vectors_ ? vectors_->at<T>(i) : own.get();
      gather_columns(x_, i, a);
      if (!is_triangle_finite(a)) return not_finite;
      return calls_.syevd(job_, triangle_, x_.rows, a, values_.at<Real<T>>(i), work.get(),
                          real_work.get(), integers.get(), room_);
    };
  }

 private:
  bool is_triangle_finite(const T* a) const {
    const std::int64_t n = x_.rows;
    for (std::int64_t j = 0; j < n; ++j) {
      const bool is_lower = triangle_ == 'L';
      if (!is_finite(a + j * n + (is_lower ? j : 0), is_lower ? n - j : j + 1)) return false;
    }
    return true;
  }

  const Calls<T> calls_;
  const Stack &x_, &values_;
  const Stack* const vectors_;
  const char job_, triangle_;
  Room room_;
};

Eigen decompose_symmetric(std::string_view who, const Array& given, Triangle triangle,
                          bool has_vectors) {
  const Array x = square_of(who, given);
  const InContextOf meanwhile(x);
  Eigen made = each_eigen(
      {who, x, real_part(x.dtype()), x.dtype(), has_vectors, 4},
      [&]<class T>(T, const auto&... stacks) { return SymmetricEigen<T>(stacks..., triangle); });
  if (has_vectors) made.eigenvectors = matrix_transpose(made.eigenvectors);
  return made;
}

}  // namespace

Eigen eigh(const Array& x, Triangle triangle) {
  return decompose_symmetric("eigh", x, triangle, true);
}

Array eigvalsh(const Array& x, Triangle triangle) {
  return decompose_symmetric("eigvalsh", x, triangle, false).eigenvalues;
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
