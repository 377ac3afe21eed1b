// least_squares.cpp: what singular values solve: ranks, pseudoinverses, least squares.
#include <algorithm>
#include <cmath>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/comparing.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/place.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/types.h"
#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/on_host.h"
#include "isthmus/linalg/singular_values.h"
#include "isthmus/linalg/solve.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

/// What a worker returns besides not_finite.
constexpr std::int64_t right_side_not_finite = not_finite + 1;

double default_rtol(const Array& x, DType real) {
  return static_cast<double>(std::max(x.shape(-1), x.shape(-2))) * finfo(real).eps;
}

/// Throws what errors of `argument` are, which must have a limit for each matrix of x.
void check_limit(std::string_view who, std::string_view argument, const Array& x,
                 const Value& limit) {
  const DType dtype = limit.array ? limit.array->dtype() : limit.scalar.dtype;
  const bool is_real = dtype.is_builtin() && dtype.family != Family::complex;
  check(is_real && (!limit.array || dtype.family != Family::boolean), Errc::type,
        "{}: {}: does not accept {}; real numbers are needed", who, argument, dtype);
  if (!limit.array) {
    check(!limit.is_past_64_bits || std::isfinite(number_as<double>(who, limit.scalar)),
          Errc::value, "{}: {}: an int beyond the range of float64", who, argument);
    return;
  }
  check(limit.array->device() == x.device(), Errc::device_mismatch,
        "{}: operands are on {} and {}; move one with to_device", who, x.device(),
        limit.array->device());
  const Array both[] = {x, *limit.array};
  context_for(who, x.device(), both);
  const Shape front = in_front_of(x), given = limit.array->shape();
  const std::span<const std::int64_t> shapes[] = {{front.begin(), front.end()},
                                                  {given.begin(), given.end()}};
  broadcast_shapes(format("{}: {} and the stack", who, argument), shapes);
}

/// What counts as zero among the singular values `s`; an array has an axis of 1.
Value cutoff(const Array& s, const Value& limit, bool is_absolute) {
  if (is_absolute) return limit.array ? Value(expand_dims(*limit.array, -1)) : limit;
  const Array largest = s.shape(-1) > 0 ? max(s, -1, true) : sum(s, -1, true);
  if (!limit.array) return multiply(largest, limit);
  return largest * expand_dims(astype(*limit.array, s.dtype(), false), -1);
}

}  // namespace

Array rank_above(std::string_view argument, const Array& given, const Value& limit,
                 bool is_absolute) {
  const std::string_view who = "matrix_rank";
  const Array x = matrices_of(who, given);
  check_limit(who, argument, x, limit);
  const Array s = svdvals_for(who, x);
  return count_nonzero(greater(s, cutoff(s, limit, is_absolute)), -1);
}

Array matrix_rank(const Array& x, const Value& rtol) { return rank_above("rtol", x, rtol, false); }

Array matrix_rank(const Array& x) {
  const Array matrices = matrices_of("matrix_rank", x);
  return matrix_rank(matrices, default_rtol(matrices, real_part(matrices.dtype())));
}

Array pinv_above(std::string_view argument, const Array& given, const Value& limit) {
  const std::string_view who = "pinv";
  const Array x = matrices_of(who, given);
  check_limit(who, argument, x, limit);
  const SVD all = svd_for(who, x);
  const Array s = where(greater(all.S, cutoff(all.S, limit, false)), 1 / all.S, 0);
  const Array rows = matrix_transpose(all.Vh), columns = matrix_transpose(all.U);
  const bool is_complex = all.U.dtype().family == Family::complex;
  const Array scaled = expand_dims(s, -1) * (is_complex ? conj(columns) : columns);
  return matmul_as(who, is_complex ? conj(rows) : rows, scaled);
}

Array pinv(const Array& x, const Value& rtol) { return pinv_above("rtol", x, rtol); }

Array pinv(const Array& x) {
  const Array matrices = matrices_of("pinv", x);
  return pinv(matrices, default_rtol(matrices, real_part(matrices.dtype())));
}

LeastSquares lstsq(const Array& given, const Array& right, std::optional<double> rcond) {
  const std::string_view who = "lstsq";
  const Array both[] = {given, right};
  const InContextOf meanwhile(who, both);
  const DType dtype = lapack_dtype(who, product_dtype(who, given, right), given.device());
  check(given.ndim() == 2 && (right.ndim() == 1 || right.ndim() == 2) &&
            right.shape(0) == given.shape(0),
        Errc::value,
        "{}: shapes {} and {}: the first must be one matrix, and the second a vector or a matrix "
        "of as many rows",
        who, given.shape(), right.shape());
  const Device& device = given.device();
  const DType real = real_part(dtype);
  const Array a = astype(given, dtype, false);
  const bool is_vector = right.ndim() == 1;
  const Array b = astype(is_vector ? expand_dims(right, 1) : right, dtype, false);
  const std::int64_t m = a.shape(0), n = a.shape(1), given_count = b.shape(1);
  const std::int64_t count = std::max(given_count, std::int64_t{1});  // LAPACK wants a column
  const std::int64_t least = std::min(m, n), most = std::max(m, n);
  const Array solutions = empty_for(who, {count, most}, dtype, device);  // columns, for Fortran
  const Array values = empty({least}, real, device);
  std::int64_t rank = 0;
  if (least > 0) {
    const HostWork work(who);
    for (const Array* one : {&a, &b, &solutions, &values}) make_reachable(who, *one);
    const Stack matrix(a, {}), sides(b, {});
    const auto failure = with_type(dtype, [&]<class T>(T) {
      using R = Real<T>;
      const Calls<T> calls(work.lapack());
      const R tolerance = static_cast<R>(rcond.value_or(default_rtol(a, real)));
      T wanted{};
      R wanted_real{};
      std::int64_t wanted_integers = 0;
      calls.gelsd(m, n, count, nullptr, nullptr, most, nullptr, tolerance, &rank, &wanted, -1,
                  &wanted_real, &wanted_integers);
      const std::int64_t room = Calls<T>::room_of(wanted);
      const std::int64_t real_room = Calls<R>::room_of(wanted_real);
      const std::int64_t integers = work.lapack().integer(wanted_integers);
      work.check_extents(
          {most, count, room, real_room, product_at_most(m, n), product_at_most(most, count)});
      const auto make_worker = [&, room, real_room, integers] {
        return [&, room, own = room_for<T>(m * n), work_room = room_for<T>(room),
                reals = room_for<R>(real_room),
                numbers = room_for<std::int64_t>(integers)](std::int64_t) -> std::int64_t {
          gather_columns(matrix, 0, own.get());
          T* const out = elements_of<T>(solutions);
          const T* const from = sides.at<const T>(0);
          std::fill_n(out, count * most, T());
          gather(from, given_count, m, sides.column_stride, sides.row_stride, out, most);
          if (!is_finite(own.get(), m * n)) return not_finite;
          for (std::int64_t j = 0; j < given_count; ++j)
            if (!is_finite(out + j * most, m)) return right_side_not_finite;
          return calls.gelsd(m, n, count, own.get(), out, most, elements_of<R>(values), tolerance,
                             &rank, work_room.get(), room, reals.get(), numbers.get());
        };
      };
      const Array reads[] = {a, b}, writes[] = {solutions, values};
      return work.run(reads, writes, 1, product_at_most(8 * m * n, least), make_worker);
    });
    check(!failure || failure->info != right_side_not_finite, Errc::linalg,
          "{}: the second array has NaN or infinity", who);
    if (failure) fail_with(who, *failure, {}, "has singular values that did not converge");
  }
  LeastSquares all;
  const Array x = least > 0 ? matrix_transpose(solutions[{slice(0, given_count), slice(0, n)}])
                            : zeros({n, given_count}, dtype, device);
  all.x = is_vector ? squeeze(x, 1) : x;
  all.rank = full({}, rank, TypeId::int64, device);
  all.s = values;
  if (rank < n || m <= n)
    all.residuals = empty({0}, real, device);
  else
    all.residuals = n == 0 ? sum(squared_size(b), 0)
                           : sum(squared_size(solutions[{slice(0, given_count), slice(n)}]), 1);
  return all;
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
