// quantiles.cpp: elements at some places of sorted rows, and what lies between them.
#include "isthmus/array/quantiles.h"

#include <cmath>
#include <limits>

#include "isthmus/array/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/array/place.h"
#include "isthmus/array/positions.h"
#include "isthmus/array/rows.h"
#include "isthmus/array/sort.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool has_fractions(const Array& x) {
  return x.dtype().family == Family::real || x.dtype().family == Family::complex;
}

/// The dtype of a mean, and the one that it is calculated in.
struct Means {
  explicit Means(const Array& x)
      : given(has_fractions(x) ? x.dtype() : default_real(x.device())),
        used(detail::calculated_in(given, x.device())) {}
  Array between(const Array& a, const Array& b) const {
    return (astype(a, used, false) + astype(b, used, false)) / 2;
  }
  DType given, used;
};

void check_builtin(std::string_view who, const Array& x) {
  check(x.dtype().is_builtin(), Errc::type,
        "{}: does not accept {}; it accepts bool, integers, floats and complex numbers", who,
        x.dtype());
}

/// Elements of the rows in order at one index each.
Array column(const Array& rows, std::int64_t index) { return rows[{slice(), index}]; }

/// How a method takes what lies at a place between two elements.
struct Place {
  std::int64_t low, high;  ///< The elements.
  double weight;           ///< Of the higher one.
};

Place place_of(double q, std::int64_t length, std::string_view method) {
  const double at = q * static_cast<double>(length - 1);
  const auto low = std::min(static_cast<std::int64_t>(std::floor(at)), length - 1);
  const std::int64_t high = std::min(low + 1, length - 1);
  const double weight = at - static_cast<double>(low);
  if (method == "lower") return {low, low, 0};
  if (method == "higher") return weight > 0 ? Place{high, high, 0} : Place{low, low, 0};
  if (method == "nearest") {
    const auto nearest = static_cast<std::int64_t>(std::nearbyint(at));
    return {nearest, nearest, 0};
  }
  if (method == "midpoint") return {low, high, weight > 0 ? 0.5 : 0.0};
  return {low, high, weight};
}

bool has_one_element(std::string_view method) {
  return method == "lower" || method == "higher" || method == "nearest";
}

/// Numbers of this thread as an array of one column beside the rows.
template <class T>
Array beside(const std::vector<T>& numbers, DType dtype, const Device& device) {
  const Array here = astype(Array(numbers).to_device(Device()), dtype, false);
  return reshape(to_device(here, device), {-1, 1});
}

/// Quantiles, one for each q, along the first axis; q in parts of `whole`.
Array quantiles(std::string_view who, const Array& x, std::span<const double> q,
                const AxisSet& axes, bool keepdims, std::string_view method, double whole) {
  check_builtin(who, x);
  check(x.dtype().family != Family::complex, Errc::type,
        "{}: does not accept {}; it accepts bool, integers and floats", who, x.dtype());
  check(method == "linear" || method == "midpoint" || has_one_element(method), Errc::value,
        "{}: method: '{}' is none of linear, lower, higher, nearest, midpoint", who, method);
  for (const double part : q)
    check(part >= 0 && part <= whole, Errc::value, "{}: q is {}; it may be from 0 to {}", who, part,
          whole);
  const detail::Rows rows(who, x, axes);
  check(rows.length > 0, Errc::value, "{}: no elements along the axes of shape {}", who, x.shape());
  const InContextOf meanwhile(x);
  const Device device = x.device();
  const Means means(x);
  std::vector<std::int64_t> low, high;
  std::vector<double> weights;
  for (const double part : q) {
    const Place place = place_of(part / whole, rows.length, method);
    low.push_back(place.low), high.push_back(place.high), weights.push_back(place.weight);
  }
  const Array sorted = sort(rows.all).eval();
  const Shape shape{static_cast<std::int64_t>(q.size()), rows.count};
  const Array begin = index_along(shape, 1, device) * rows.length;
  const auto at = [&](const std::vector<std::int64_t>& index) {
    return detail::load(who, sorted, beside(index, TypeId::int64, device) + begin);
  };
  Array result = at(low);
  if (!has_one_element(method)) {
    const Array t = beside(weights, means.used, device);
    const Array a = astype(result, means.used, false), b = astype(at(high), means.used, false);
    const Array between = where(t >= 0.5, b - (b - a) * (1 - t), a + (b - a) * t);
    result = astype(where((t == 0) | (a == b), a, between), means.given, false);
  }
  if (has_fractions(x)) {
    const Array last = column(sorted, rows.length - 1);
    result = where(isnan(last), last, result);
  }
  return rows.reduced_behind(result, keepdims);
}

Array first_of(const Array& x) { return x[0]; }

}  // namespace

Array median(const Array& x, const AxisSet& axes, bool keepdims) {
  check_builtin("median", x);
  const detail::Rows rows("median", x, axes);
  const Means means(x);
  const InContextOf meanwhile(x);
  if (rows.length == 0)
    return rows.reduced(full(Shape{rows.count}, nan, means.given, x.device()), keepdims);
  const Array sorted = sort(rows.all).eval();
  const Array low = column(sorted, (rows.length - 1) / 2);
  Array middle = rows.length % 2 ? astype(low, means.used, false)
                                 : means.between(low, column(sorted, rows.length / 2));
  middle = astype(middle, means.given, false);
  if (has_fractions(x)) {
    const Array last = column(sorted, rows.length - 1);
    middle = where(isnan(last), last, middle);
  }
  return rows.reduced(middle, keepdims);
}

Array nanmedian(const Array& x, const AxisSet& axes, bool keepdims) {
  check_builtin("nanmedian", x);
  if (!has_fractions(x) || x.size() == 0) return median(x, axes, keepdims);
  const detail::Rows rows("nanmedian", x, axes);
  const Means means(x);
  const InContextOf meanwhile(x);
  const Array count = sum(logical_not(isnan(rows.all)), 1, true).eval();
  const Array sorted = sort(rows.all).eval();
  const Array a = detail::pick("nanmedian", sorted, maximum(floor_divide(count - 1, 2), 0));
  const Array b =
      detail::pick("nanmedian", sorted, minimum(floor_divide(count, 2), rows.length - 1));
  // twice one element could be infinite
  const Array middle = where(a == b, astype(a, means.used, false), means.between(a, b));
  return rows.reduced(astype(middle, means.given, false), keepdims);
}

Array quantile(const Array& x, double q, const AxisSet& axes, bool keepdims,
               std::string_view method) {
  return first_of(quantiles("quantile", x, {&q, 1}, axes, keepdims, method, 1));
}
Array quantile(const Array& x, std::span<const double> q, const AxisSet& axes, bool keepdims,
               std::string_view method) {
  return quantiles("quantile", x, q, axes, keepdims, method, 1);
}
Array percentile(const Array& x, double q, const AxisSet& axes, bool keepdims,
                 std::string_view method) {
  return first_of(quantiles("percentile", x, {&q, 1}, axes, keepdims, method, 100));
}
Array percentile(const Array& x, std::span<const double> q, const AxisSet& axes, bool keepdims,
                 std::string_view method) {
  return quantiles("percentile", x, q, axes, keepdims, method, 100);
}

}  // namespace isthmus::inline ISTHMUS_ABI
