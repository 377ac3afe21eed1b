// factor.cpp: Cholesky's factors, and Q and R.
#include "isthmus/linalg/factor.h"

#include <algorithm>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/on_host.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

/// The lower triangle of the i-th matrix as columns, or the upper one as rows; besides some
/// elements near the diagonal.
template <class T>
void gather_triangle(const Stack& x, std::int64_t i, bool upper, T* to) {
  constexpr std::int64_t side = 16;
  const std::int64_t slow = upper ? x.row_stride : x.column_stride;
  const std::int64_t fast = upper ? x.column_stride : x.row_stride;
  const T* const from = x.at<const T>(i);
  for (std::int64_t at = 0; at < x.rows; at += side)
    gather(from + at * (slow + fast), std::min(side, x.rows - at), x.rows - at, slow, fast,
           to + at * (x.rows + 1), x.rows);
}

/// Whether all numbers in the lower or the upper triangle of the i-th matrix are finite.
template <class T>
bool has_finite_triangle(const Stack& x, std::int64_t i, bool upper) {
  const T* const from = x.at<const T>(i);
  for (std::int64_t row = 0; row < x.rows; ++row)
    for (std::int64_t column = upper ? row : 0; column < (upper ? x.columns : row + 1); ++column)
      if (!is_finite(from + row * x.row_stride + column * x.column_stride, 1)) return false;
  return true;
}

/// What lies on and above the diagonal of a matrix of columns, as rows; zeros elsewhere.
template <class T>
void write_upper(const T* columns, std::int64_t step, std::int64_t row_count,
                 std::int64_t column_count, T* rows) {
  for (std::int64_t i = 0; i < row_count; ++i)
    for (std::int64_t j = 0; j < column_count; ++j)
      rows[i * column_count + j] = i <= j ? columns[j * step + i] : T();
}

/// Q and R of one matrix after another. `q` is null where it is not wanted.
template <class T>
class Factors {
 public:
  Factors(const HostWork& work, const Stack& x, const Stack* q, const Stack& r)
      : calls_(work.lapack()),
        x_(x),
        q_(q),
        r_(r),
        columns_(q ? q->rows : 0),
        count_(std::min(x.rows, x.columns)) {
    T wanted{};
    std::int64_t rows = x.rows;
    calls_.geqrf(rows, x.columns, nullptr, nullptr, &wanted, -1);
    room_ = Calls<T>::room_of(wanted);
    if (q) {
      calls_.orgqr(rows, columns_, count_, nullptr, nullptr, &wanted, -1);
      room_ = std::max(room_, Calls<T>::room_of(wanted));
    }
    work.check_extents({rows, x.columns, columns_, room_, product_at_most(rows, x.columns),
                        product_at_most(rows, columns_)});
  }

  auto make_worker() const {
    const bool is_in_place = x_.columns <= columns_;
    return [this, is_in_place, own = room_for<T>(is_in_place ? 0 : x_.rows * x_.columns),
            factors = room_for<T>(count_),
            room = room_for<T>(room_)](std::int64_t i) -> std::int64_t {
      T* const a = is_in_place ? q_->at<T>(i) : own.get();
      gather_columns(x_, i, a);
      std::int64_t info = calls_.geqrf(x_.rows, x_.columns, a, factors.get(), room.get(), room_);
      write_upper(a, x_.rows, r_.rows, r_.columns, r_.at<T>(i));
      if (!q_ || info) return info;
      info = calls_.orgqr(x_.rows, columns_, count_, a, factors.get(), room.get(), room_);
      if (!is_in_place) std::copy_n(a, x_.rows * columns_, q_->at<T>(i));
      return info;
    };
  }

 private:
  const Calls<T> calls_;
  const Stack& x_;
  const Stack* const q_;  // the rows of its matrices are the columns of Q
  const Stack& r_;
  const std::int64_t columns_, count_;
  std::int64_t room_ = 1;
};

}  // namespace

Array cholesky(const Array& given, Flag upper) {
  const std::string_view who = "cholesky";
  const Array x = square_of(who, given);
  const InContextOf meanwhile(x);
  const Shape front = in_front_of(x);
  const std::int64_t n = x.shape(-1);
  const Array made = empty(x.shape(), x.dtype(), x.device());
  if (made.size() == 0) return made;
  const HostWork work(who);
  work.check_extents({n, product_at_most(n, n)});
  make_reachable(who, x);
  make_reachable(who, made);
  const Stack from(x, front), to(made, front);
  const auto failure = with_type(x.dtype(), [&]<class T>(T) {
    const Calls<T> calls(work.lapack());
    const auto make_worker = [&] {
      return [&](std::int64_t i) -> std::int64_t {
        T* const a = to.at<T>(i);
        // OpenBLAS is faster with the lower triangle. The upper one is the lower one of the
        // conjugate for Fortran, which sees rows as columns; so is its factor.
        gather_triangle(from, i, upper, a);
        std::int64_t info = calls.potrf('L', n, a);
        // some libraries take NaN for a number that is not positive
        if (info && !has_finite_triangle<T>(from, i, upper)) {
          std::fill_n(a, n * n, T(std::numeric_limits<Real<T>>::quiet_NaN()));
          info = 0;
        }
        for (std::int64_t row = 1; row < n; ++row) std::fill_n(a + row * n, row, T());
        return info;
      };
    };
    return work.run({&x, 1}, {&made, 1}, made.size() / n / n, product_at_most(n * n, n / 3 + 1),
                    make_worker);
  });
  if (failure) fail_with(who, *failure, front, "is not positive definite");
  return upper ? made : matrix_transpose(made);
}

QR qr(const Array& given, QRMode mode) {
  const std::string_view who = "qr";
  const Array x = matrices_of(who, given);
  const InContextOf meanwhile(x);
  const Shape front = in_front_of(x);
  const std::int64_t rows = x.shape(-2), columns = x.shape(-1), count = std::min(rows, columns);
  const std::int64_t kept = mode == QRMode::complete ? rows : count;
  const Array r = empty(with_axes(front, {kept, columns}), x.dtype(), x.device());
  const bool has_q = mode != QRMode::r;
  if (x.size() == 0) {
    const Shape shape = with_axes(front, {rows, kept});
    return {has_q ? empty_or_identities(who, shape, x.dtype(), x.device()) : Array(), r};
  }
  const HostWork work(who);
  const Array q = has_q ? empty_for(who, with_axes(front, {kept, rows}), x.dtype(), x.device()) : r;
  for (const Array* one : {&x, &q, &r}) make_reachable(who, *one);
  const Stack from(x, front), to_q(q, front), to_r(r, front);
  with_type(x.dtype(), [&]<class T>(T) {
    const Factors<T> factors(work, from, has_q ? &to_q : nullptr, to_r);
    const Array made[] = {r, q};
    return work.run({&x, 1}, made, x.size() / rows / columns,
                    product_at_most(product_at_most(2 * rows, columns), kept),
                    [&] { return factors.make_worker(); });
  });
  return {has_q ? matrix_transpose(q) : Array(), r};
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
