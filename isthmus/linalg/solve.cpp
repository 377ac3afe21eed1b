// solve.cpp: solutions and inverses by L and U.
#include "isthmus/linalg/solve.h"

#include <algorithm>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/inverse.h"
#include "isthmus/linalg/on_host.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

constexpr const char* is_singular = "is singular";

/// Of a matrix that LAPACK finds singular: whether that is because it has NaN or infinity, which
/// some versions take for zero. The result is NaN then. `room` is for the matrix.
template <class T>
bool fill_if_not_finite(const Stack& x, std::int64_t i, T* room, T* result, std::int64_t count) {
  gather_rows(x, i, room);
  if (is_finite(room, x.rows * x.columns)) return false;
  std::fill_n(result, count, T(std::numeric_limits<Real<T>>::quiet_NaN()));
  return true;
}

/// Of a stack of matrices and one of matrices of columns, both with two axes or more.
Shape common_front(const Array& a, const Array& b, int own) {
  const Shape left = in_front_of(a), right = in_front_of(b, own);
  const std::span<const std::int64_t> both[] = {{left.begin(), left.end()},
                                                {right.begin(), right.end()}};
  return broadcast_shapes("solve", both);
}

/// b's columns as the rows of new memory, one system after another.
Array solve_rows(const Array& a, const Array& b, const Shape& front, int own) {
  const std::string_view who = "solve";
  const std::int64_t n = a.shape(-1), columns = own == 2 ? b.shape(-1) : 1;
  const Array made = empty_for(who, with_axes(front, {columns, n}), a.dtype(), a.device());
  if (made.size() == 0) return made;
  const HostWork work(who);
  for (const Array* one : {&a, &b, &made}) make_reachable(who, *one);
  const Stack matrices(a, front), right(b, front, own), to(made, front);
  const std::int64_t count = made.size() / n / columns;
  // one matrix for all right sides is one system with all of their columns
  const bool is_one = a.size() == n * n;
  const std::int64_t each = is_one ? count : 1;
  work.check_extents({n, product_at_most(n, n), product_at_most(each * columns, n)});
  const auto failure = with_type(a.dtype(), [&]<class T>(T) {
    const Calls<T> calls(work.lapack());
    const auto make_worker = [&] {
      return [&, lu = room_for<T>(n * n),
              pivots = room_for<std::int64_t>(n)](std::int64_t i) -> std::int64_t {
        gather_rows(matrices, i, lu.get());
        for (std::int64_t j = i; j < i + each; ++j) gather_columns(right, j, to.at<T>(j));
        const std::int64_t info = calls.getrf(n, n, lu.get(), n, pivots.get());
        // the rows are columns for Fortran, which therefore solves the transposed system
        if (!info) return calls.getrs('T', n, each * columns, lu.get(), pivots.get(), to.at<T>(i));
        return fill_if_not_finite(matrices, i, lu.get(), to.at<T>(i), n * each * columns) ? 0
                                                                                          : info;
      };
    };
    const Array reads[] = {a, b};
    return work.run(reads, {&made, 1}, count / each, product_at_most(n * n, n + 2 * each * columns),
                    make_worker);
  });
  if (failure) fail_with(who, *failure, is_one ? Shape() : front, is_singular);
  return made;
}

Array inverses(std::string_view who, const Array& given, bool may_be_singular) {
  const Array x = square_of(who, given);
  const InContextOf meanwhile(x);
  const Shape front = in_front_of(x);
  const std::int64_t n = x.shape(-1);
  const Array made = empty(x.shape(), x.dtype(), x.device());
  if (made.size() == 0) return made;
  const HostWork work(who);
  make_reachable(who, x);
  make_reachable(who, made);
  const Stack from(x, front), to(made, front);
  const auto failure = with_type(x.dtype(), [&]<class T>(T) {
    const Calls<T> calls(work.lapack());
    T wanted{};
    calls.getri(n, nullptr, nullptr, &wanted, -1);
    const std::int64_t room = Calls<T>::room_of(wanted);
    work.check_extents({n, room, product_at_most(n, n)});
    const auto make_worker = [&, room] {
      return [&, room, pivots = room_for<std::int64_t>(n),
              own = room_for<T>(room)](std::int64_t i) -> std::int64_t {
        T* const a = to.at<T>(i);
        gather_rows(from, i, a);  // the inverse of a transpose is that of the matrix, transposed
        const std::int64_t info = calls.getrf(n, n, a, n, pivots.get());
        if (!info) return calls.getri(n, a, pivots.get(), own.get(), room);
        if (fill_if_not_finite(from, i, a, a, n * n)) return 0;
        if (may_be_singular) std::fill_n(a, n * n, T(std::numeric_limits<Real<T>>::infinity()));
        return may_be_singular ? 0 : info;
      };
    };
    return work.run({&x, 1}, {&made, 1}, made.size() / n / n, product_at_most(2 * n * n, n),
                    make_worker);
  });
  if (failure) fail_with(who, *failure, front, is_singular);
  return made;
}

}  // namespace

Array solve(const Array& a, const Array& b) {
  const std::string_view who = "solve";
  const Array both[] = {a, b};
  const InContextOf meanwhile(who, both);
  const DType dtype = lapack_dtype(who, product_dtype(who, a, b), a.device());
  check(a.ndim() >= 2 && a.shape(-1) == a.shape(-2), Errc::value,
        "{}: shape {}: the first array must have square matrices in its last two axes", who,
        a.shape());
  const int own = b.ndim() == 1 ? 1 : 2;
  check(b.ndim() >= 1 && b.shape(-own) == a.shape(-1), Errc::value,
        "{}: shapes {} and {}: axis {} of the second must have the {} elements of a row of the "
        "first",
        who, a.shape(), b.shape(), -own, a.shape(-1));
  const Shape front = common_front(a, b, own);
  const Array made = solve_rows(astype(a, dtype, false), astype(b, dtype, false), front, own);
  return own == 1 ? squeeze(made, -2) : matrix_transpose(made);
}

Array inv(const Array& x) { return inverses_for("inv", x); }

Array inverses_for(std::string_view who, const Array& x) { return inverses(who, x, false); }

Array inverses_or_infinity(std::string_view who, const Array& x) { return inverses(who, x, true); }

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
