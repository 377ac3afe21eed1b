// norms.cpp: norms as sums over maps, or of singular values.
#include "isthmus/linalg/norms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isthmus/array/functions.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/results.h"
#include "isthmus/linalg/inverse.h"
#include "isthmus/linalg/on_host.h"
#include "isthmus/linalg/singular_values.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What can have roots.
Array with_fractions(const Array& x) {
  const bool has_them = x.dtype().family == Family::real || x.dtype().family == Family::complex;
  return has_them ? x : astype(x, default_real(x.device()));
}

/// What make() gives, in one kernel.
Array as_one_kernel(auto make) {
  return isthmus::detail::from_one_kernel<1>([&] { return std::array{make()}; })[0];
}

/// The largest, and 0 of nothing.
Array largest(const Array& x, const AxisSet& axes, Flag keepdims) {
  const bool has_elements = count_along("max", x, axes) > 0;
  return has_elements ? max(x, axes, keepdims) : sum(x, axes, keepdims);
}

Array vector_norm_for(std::string_view who, const Array& given, const AxisSet& axes, Flag keepdims,
                      double ord) {
  check_has_numbers(who, given);
  const std::int64_t count = count_along(who, given, axes);
  check(ord != -infinity || count > 0, Errc::value, "{}: ord -inf of no elements, in shape {}", who,
        given.shape());
  return as_one_kernel([&] {
    const Array x = with_fractions(given);
    if (ord == infinity) return largest(abs(x), axes, keepdims);
    if (ord == -infinity) return min(abs(x), axes, keepdims);
    if (ord == 0) return sum(astype(x != 0, real_part(x.dtype())), axes, keepdims);
    if (ord == 1) return sum(abs(x), axes, keepdims);
    if (ord == 2) return sqrt(sum(squared_size(x), axes, keepdims));
    return pow(sum(pow(abs(x), ord), axes, keepdims), 1 / ord);
  });
}

/// `axes` are the rows and the columns, of which the results keep the one that is left.
Array of_sums(std::string_view who, const Array& x, std::int64_t summed, std::int64_t rest,
              bool is_largest, Flag keepdims) {
  check_has_numbers(who, x);
  return as_one_kernel([&] {
    const Array sums = sum(abs(with_fractions(x)), summed, true);
    const Array found = is_largest ? largest(sums, rest, true) : min(sums, rest, true);
    return keepdims ? found : squeeze(found, {-2, -1});
  });
}

Array with_kept(const Array& x, Flag keepdims) { return keepdims ? expand_dims(x, {-2, -1}) : x; }

Array matrix_norm_for(std::string_view who, const Array& given, MatrixNorm ord, Flag keepdims) {
  check_matrix(who, given);
  if (ord == MatrixNorm::frobenius) return vector_norm_for(who, given, {-2, -1}, keepdims, 2);
  return with_kept(sum(svdvals_for(who, given), -1), keepdims);
}

Array matrix_norm_for(std::string_view who, const Array& given, double ord, Flag keepdims) {
  check_matrix(who, given);
  const double size = std::abs(ord);
  check(size == 1 || size == 2 || size == infinity, Errc::value,
        "{}: ord {} is none of 1, -1, 2, -2, inf, -inf, 'fro', 'nuc'", who, ord);
  const bool is_largest = ord > 0;
  const std::int64_t rows = given.shape(-2), columns = given.shape(-1);
  const std::int64_t candidates = size == 1 ? columns : size == 2 ? std::min(rows, columns) : rows;
  check(is_largest || candidates > 0, Errc::value,
        "{}: ord {} is a minimum over {}, of which {} x {} matrices have none", who, ord,
        size == 1   ? "columns"
        : size == 2 ? "singular values"
                    : "rows",
        rows, columns);
  if (size == 2) {
    const Array s = svdvals_for(who, given);
    return with_kept(is_largest ? largest(s, -1, false) : min(s, -1), keepdims);
  }
  return size == 1 ? of_sums(who, given, -2, -1, is_largest, keepdims)
                   : of_sums(who, given, -1, -2, is_largest, keepdims);
}

/// norm() with an order; f(x) of the matrices, with the last two axes kept.
Array norm_of(const Array& x, const AxisSet& axes, Flag keepdims, auto of_vector, auto of_matrix) {
  const auto chosen = axes.get();
  const std::size_t count = chosen ? chosen->size() : static_cast<std::size_t>(x.ndim());
  check(count == 1 || count == 2, Errc::value,
        "norm: {} axes of shape {}; give one for vectors, two for matrices", count, x.shape());
  if (count == 1) return of_vector();
  const Axes pair = chosen ? Axes(*chosen) : Axes{0, 1};
  marked("norm", axes.get(), x.ndim());  // throws for bad ones
  const Array made = of_matrix(moveaxis(x, pair, {-2, -1}));
  return keepdims ? moveaxis(made, {-2, -1}, pair) : squeeze(made, {-2, -1});
}

constexpr std::string_view cond_name = "cond";

void check_has_condition(const Array& x) {
  check_matrix(cond_name, x);
  check(x.shape(-1) > 0 && x.shape(-2) > 0, Errc::value, "{}: matrices of no elements, in shape {}",
        cond_name, x.shape());
}

/// NaN comes of zeros and infinities, and is infinity, unless the matrix has it.
Array as_condition(const Array& x, const Array& found) {
  return where(isnan(found) & ~any(isnan(x), {-2, -1}), infinity, found);
}

/// The norms of inverses, which may be infinite.
Array norm_of_inverses(const Array& inverse, double ord) {
  return matrix_norm_for(cond_name, inverse, ord, false);
}
Array norm_of_inverses(const Array& inverse, MatrixNorm ord) {
  if (ord != MatrixNorm::nuclear) return matrix_norm_for(cond_name, inverse, ord, false);
  // LAPACK has no singular values of infinities
  const Array are_finite = all(isfinite(inverse), {-2, -1}, true);
  const Array norms = matrix_norm_for(cond_name, where(are_finite, inverse, 0), ord, false);
  return where(squeeze(are_finite, {-2, -1}), norms, infinity);
}

template <class Ord>
Array cond_by(const Array& given, Ord ord) {
  check_has_condition(given);
  const Array x = square_of(cond_name, given);
  const Array norms = matrix_norm_for(cond_name, x, ord, false);
  return as_condition(x, norms * norm_of_inverses(inverses_or_infinity(cond_name, x), ord));
}

}  // namespace

Array vector_norm(const Array& x, const AxisSet& axes, Flag keepdims, double ord) {
  return vector_norm_for("vector_norm", x, axes, keepdims, ord);
}

Array matrix_norm(const Array& x, MatrixNorm ord, Flag keepdims) {
  return matrix_norm_for("matrix_norm", x, ord, keepdims);
}
Array matrix_norm(const Array& x, double ord, Flag keepdims) {
  return matrix_norm_for("matrix_norm", x, ord, keepdims);
}

Array norm(const Array& x, std::optional<double> ord, const AxisSet& axes, Flag keepdims) {
  if (!ord && !axes.get()) return vector_norm_for("norm", x, axes, keepdims, 2);
  return norm_of(
      x, axes, keepdims,
      [&] { return vector_norm_for("norm", x, axes, keepdims, ord.value_or(2)); },
      [&](const Array& matrices) {
        return ord ? matrix_norm_for("norm", matrices, *ord, true)
                   : matrix_norm_for("norm", matrices, MatrixNorm::frobenius, true);
      });
}

Array norm(const Array& x, MatrixNorm ord, const AxisSet& axes, Flag keepdims) {
  return norm_of(
      x, axes, keepdims,
      [&]() -> Array {
        fail(Errc::value, "norm: ord '{}' is one of matrices; shape {} has vectors here",
             ord == MatrixNorm::nuclear ? "nuc" : "fro", x.shape());
      },
      [&](const Array& matrices) { return matrix_norm_for("norm", matrices, ord, true); });
}

Array cond(const Array& x, double ord) {
  if (std::abs(ord) != 2) return cond_by(x, ord);
  check_has_condition(x);
  const Array s = svdvals_for(cond_name, x);
  const Array most = max(s, -1), least = min(s, -1);
  return as_condition(x, ord > 0 ? most / least : least / most);
}
Array cond(const Array& x, MatrixNorm ord) { return cond_by(x, ord); }

Array diagonal(const Array& x, AnyInteger offset) { return isthmus::diagonal(x, offset, -2, -1); }
Array trace(const Array& x, AnyInteger offset, std::optional<DType> dtype) {
  return isthmus::trace(x, offset, -2, -1, dtype);
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
