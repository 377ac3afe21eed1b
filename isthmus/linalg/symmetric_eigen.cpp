// symmetric_eigen.cpp: eigenvalues and eigenvectors of symmetric and Hermitian matrices.
#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/eigen.h"
#include "isthmus/linalg/on_host.h"

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
  const Shape front = in_front_of(x);
  const std::int64_t n = x.shape(-1);
  const Array values = empty(with_axes(front, {n}), real_part(x.dtype()), x.device());
  const Array vectors = has_vectors ? empty(x.shape(), x.dtype(), x.device()) : values;
  if (x.size() == 0) return {values, vectors};
  const HostWork work(who);
  for (const Array* one : {&x, &values, &vectors}) make_reachable(who, *one);
  const Stack from(x, front), to_values(values, front, 1);
  std::optional<Stack> to_vectors;
  if (has_vectors) to_vectors.emplace(vectors, front);
  const auto failure = with_type(x.dtype(), [&]<class T>(T) {
    const SymmetricEigen<T> eigen(work, from, to_values, to_vectors ? &*to_vectors : nullptr,
                                  triangle);
    const Array writes[] = {values, vectors};
    return work.run({&x, 1}, writes, x.size() / n / n,
                    product_at_most(product_at_most(4 * n, n), n),
                    [&] { return eigen.make_worker(); });
  });
  if (failure) fail_with(who, *failure, front, "has eigenvalues that did not converge");
  return {values, has_vectors ? matrix_transpose(vectors) : vectors};
}

}  // namespace

Eigen eigh(const Array& x, Triangle triangle) {
  return decompose_symmetric("eigh", x, triangle, true);
}

Array eigvalsh(const Array& x, Triangle triangle) {
  return decompose_symmetric("eigvalsh", x, triangle, false).eigenvalues;
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
