// correlate.cpp: sums of products of windows, and of what differs from the mean.
#include "isthmus/array/products/correlate.h"

#include <algorithm>
#include <utility>

#include "isthmus/array/arrange/diagonal.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/arrange/neighbours.h"
#include "isthmus/array/calculated.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/place.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/array/products/host_product.h"
#include "isthmus/array/products/products.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

Array sequence(const char* who, const Array& x) {
  check(x.ndim() <= 1, Errc::value, "{}: an operand of {}; one is needed", who,
        detail::AxisCount(x.ndim()));
  check(x.size() > 0, Errc::value, "{}: an operand has no elements; at least one is needed", who);
  return x.ndim() == 0 ? reshape(x, {1}) : x;
}

/// How far the shorter sequence hangs over the longer one at both ends.
PadWidth overhang(const char* who, std::string_view mode, std::int64_t length) {
  if (mode == "full") return {length - 1, length - 1};
  if (mode == "same") return {length / 2, length - length / 2 - 1};
  check(mode == "valid", Errc::value, "{}: mode: '{}' is none of full, same, valid", who, mode);
  return {0, 0};
}

/// sum(conj(y[i]) * x[k + i]), where x is at least as long as y.
Array slid(const char* who, const Array& x, const Array& y, std::string_view mode) {
  const PadWidth width = overhang(who, mode, y.size());
  const Array padded = mode == "valid" ? x : pad(x, std::vector<PadWidth>{width});
  if (x.dtype() == y.dtype())
    if (std::optional<Array> made = slide_on_host(who, contiguous(padded), contiguous(y)))
      return *std::move(made);
  return vecdot(y, sliding_window_view(padded, {y.size()}));
}

Array conjugate(const Array& x) { return x.dtype().family == Family::complex ? conj(x) : x; }

/// Variables in rows; in `dtype`.
Array in_rows(const char* who, const Array& x, bool rowvar, DType dtype) {
  check(x.ndim() <= 2, Errc::value, "{}: an operand of {}; at most two are possible", who,
        detail::AxisCount(x.ndim()));
  Array rows = x.ndim() == 2 ? x : reshape(x, {1, x.size()});
  if (!rowvar && x.ndim() == 2) rows = matrix_transpose(rows);
  return astype(std::move(rows), dtype, false);
}

/// In the dtype of the calculation, of what is to become `dtype`.
Array covariances(const char* who, const Array& x, const std::optional<Array>& y, bool rowvar,
                  double ddof, DType dtype) {
  const DType wide = summing_dtype(dtype);
  Array rows = in_rows(who, x, rowvar, wide);
  if (y) {
    const Array more = in_rows(who, *y, rowvar, wide);
    check(more.shape(1) == rows.shape(1), Errc::value,
          "{}: {} observations of the variables in y, but {} of those in x; as many are needed",
          who, more.shape(1), rows.shape(1));
    rows = concat({rows, more}, 0);
  }
  const std::int64_t count = rows.shape(1);
  // less one element first: the rounding of a sum far from 0 could be as large as the spread
  if (count > 0) rows = rows - part_of(rows, 1, 0, 1);
  rows = rows - mean(rows, 1, true);
  rows.eval();
  const double divisor = std::max(static_cast<double>(count) - ddof, 0.0);
  const Array made = matmul_as(who, rows, conjugate(matrix_transpose(rows))) / divisor;
  return made.size() == 1 ? reshape(made, {}) : made;
}

DType dtype_of(const char* who, const Array& x, const std::optional<Array>& y,
               std::optional<DType> dtype) {
  for (const Array* operand : {&x, y ? &*y : &x}) {
    check_has_numbers(who, *operand);
    check_holds_fractions(who, *operand, dtype);
  }
  if (dtype) return *dtype;
  return y ? had_by(x.device(), promote(product_dtype(who, x, *y), mean_dtype(x))) : mean_dtype(x);
}

/// While it lives, results are of the context of both.
InContextOf context_of_both(const char* who, const Array& x, const std::optional<Array>& y) {
  const Array both[] = {x, y.value_or(x)};
  return InContextOf(who, both);
}

}  // namespace

Array convolve(const Array& x, const Array& y, std::string_view mode) {
  product_dtype("convolve", x, y);
  const Array both[] = {sequence("convolve", x), sequence("convolve", y)};
  const InContextOf meanwhile("convolve", both);
  const bool is_longer = both[0].size() >= both[1].size();
  return slid("convolve", both[!is_longer], conjugate(flip(both[is_longer])), mode);
}

Array correlate(const Array& x, const Array& y, std::string_view mode) {
  product_dtype("correlate", x, y);
  const Array both[] = {sequence("correlate", x), sequence("correlate", y)};
  const InContextOf meanwhile("correlate", both);
  if (both[0].size() >= both[1].size()) return slid("correlate", both[0], both[1], mode);
  return conjugate(flip(slid("correlate", both[1], both[0], mode)));
}

Array cov(const Array& x, const std::optional<Array>& y, Flag rowvar, double ddof,
          std::optional<DType> dtype) {
  const DType given = dtype_of("cov", x, y, dtype);
  const InContextOf meanwhile = context_of_both("cov", x, y);
  return astype(covariances("cov", x, y, rowvar, ddof, given), given, false);
}

Array corrcoef(const Array& x, const std::optional<Array>& y, Flag rowvar,
               std::optional<DType> dtype) {
  const DType given = dtype_of("corrcoef", x, y, dtype);
  const InContextOf meanwhile = context_of_both("corrcoef", x, y);
  Array made = covariances("corrcoef", x, y, rowvar, 1, given);
  const bool is_complex = given.family == Family::complex;
  if (made.ndim() == 0) return astype(made / made, given, false);
  const Array variances = diagonal(made);
  const Array spread = sqrt(is_complex ? real(variances) : variances);
  made = made / expand_dims(spread, 1) / spread;
  const auto inside = [](Array part) { return clip(std::move(part), -1, 1); };
  if (!is_complex) return astype(inside(made), given, false);
  return astype(inside(real(made)) + inside(imag(made)) * std::complex<double>(0, 1), given, false);
}

}  // namespace isthmus::inline ISTHMUS_ABI
