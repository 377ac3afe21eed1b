// quantiles.cpp: elements at some places of sorted rows, and what lies between them.
#include "isthmus/array/sort/quantiles.h"

#include <cmath>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/sort/rows.h"
#include "isthmus/array/sort/sort.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The dtype of a mean, and the one that it is calculated in.
struct Means {
  explicit Means(const Array& x) : given(mean_dtype(x)), used(calculated_in(given, x.device())) {}
  Array between(const Array& a, const Array& b) const {
    return (astype(a, used, false) + astype(b, used, false)) / 2;
  }
  DType given, used;
};

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

/// Which quantiles are asked for.
struct Wanted {
  std::string_view who;
  std::span<const double> q;
  double whole = 1;         ///< Of which q are parts.
  bool leaves_out = false;  ///< NaN.
};

/// The places of quantiles, one row for each q: one column for each row, or one for all.
struct Places {
  Places(const Wanted& wanted, const detail::Rows& rows, std::string_view method) {
    std::vector<std::int64_t> lengths{rows.length};
    if (wanted.leaves_out) lengths = sum(logical_not(isnan(rows.all)), 1).to_vector<std::int64_t>();
    shape = {wanted.q.size(), lengths.size()};
    for (const double part : wanted.q) {
      for (const std::int64_t length : lengths) {
        const double q = part / wanted.whole;
        const Place place = place_of(q, std::max<std::int64_t>(length, 1), method);
        low.push_back(place.low), high.push_back(place.high), weights.push_back(place.weight);
      }
    }
  }
  /// Where elements are read.
  Axes all() const {
    Axes all;
    for (const std::vector<std::int64_t>* some : {&low, &high})
      for (const std::int64_t place : *some)
        if (all.empty() || all.back() != place) all.push_back(place);
    return all;
  }
  template <class T>
  Array as_array(const std::vector<T>& numbers, DType dtype, const Device& device) const {
    const Array here = astype(Array(numbers).to_device(Device()), dtype, false);
    return reshape(to_device(here, device), shape);
  }
  Shape shape;
  std::vector<std::int64_t> low, high;
  std::vector<double> weights;
};

/// Quantiles, one for each q, along the first axis.
Array quantiles(Wanted wanted, const Array& x, const AxisSet& axes, bool keepdims,
                std::string_view method) {
  const std::string_view who = wanted.who;
  check_is_ordered(who, x);
  check(method == "linear" || method == "midpoint" || has_one_element(method), Errc::value,
        "{}: method: '{}' is none of linear, lower, higher, nearest, midpoint", who, method);
  for (const double part : wanted.q)
    check(part >= 0 && part <= wanted.whole, Errc::value, "{}: q is {}; it must be from 0 to {}",
          who, part, wanted.whole);
  const detail::Rows rows(who, x, axes);
  check(rows.length > 0 || wanted.leaves_out, Errc::value,
        "{}: no elements along the axes of shape {}", who, x.shape());
  const InContextOf meanwhile(x);
  const Device device = x.device();
  const Means means(x);
  if (rows.length == 0)
    return rows.reduced_behind(full({wanted.q.size(), rows.count}, nan, means.given, device),
                               keepdims);
  const bool may_have_nan = has_fractions(x.dtype());
  wanted.leaves_out = wanted.leaves_out && may_have_nan;
  const Places places(wanted, rows, method);
  const bool shows_nan = may_have_nan && !wanted.leaves_out;
  Axes read = places.all();
  if (shows_nan) read.push_back(rows.length - 1);
  const Array sorted = partition(rows.all, read).eval();
  const Array begin = index_along({wanted.q.size(), rows.count}, 1, device) * rows.length;
  const auto at = [&](const std::vector<std::int64_t>& index) {
    return detail::load(who, sorted, places.as_array(index, TypeId::int64, device) + begin);
  };
  Array result = at(places.low);
  if (!has_one_element(method)) {
    const Array t = places.as_array(places.weights, means.used, device);
    const Array a = astype(result, means.used, false),
                b = astype(at(places.high), means.used, false);
    const Array between = where(t >= 0.5, b - (b - a) * (1 - t), a + (b - a) * t);
    result = astype(where((t == 0) | (a == b), a, between), means.given, false);
  }
  if (shows_nan) {
    const Array last = column(sorted, rows.length - 1);
    result = where(isnan(last), last, result);
  }
  return rows.reduced_behind(result, keepdims);
}

/// The same for one q, or for as many as an array has, in its shape.
Array quantile_of(Wanted wanted, double q, const Array& x, const AxisSet& axes, bool keepdims,
                  std::string_view method) {
  wanted.q = {&q, 1};
  return quantiles(wanted, x, axes, keepdims, method)[0];
}
Array quantile_of(Wanted wanted, const Array& q, const Array& x, const AxisSet& axes, bool keepdims,
                  std::string_view method) {
  check_is_ordered(wanted.who, q, " as q");
  const Array here = astype(to_device(q, Device()), TypeId::float64, false);
  const std::vector<double> numbers = here.to_vector<double>();
  wanted.q = numbers;
  const Array made = quantiles(wanted, x, axes, keepdims, method);
  Shape shape = q.shape();
  for (int axis = 1; axis < made.ndim(); ++axis) shape.push_back(made.shape(axis));
  return reshape(made, shape);
}
Array quantile_of(Wanted wanted, std::span<const double> q, const Array& x, const AxisSet& axes,
                  bool keepdims, std::string_view method) {
  wanted.q = q;
  return quantiles(wanted, x, axes, keepdims, method);
}

/// The rows with the middle ones of so many numbers where sort() has them.
Array middles_in_place(const detail::Rows& rows, const Array& count) {
  if (!count.device().is_host()) return sort(rows.all);  // which does not wait for the counts
  Axes read;
  for (const std::int64_t numbers : count.to_vector<std::int64_t>())
    for (const std::int64_t place : {(numbers - 1) / 2, std::min(numbers / 2, rows.length - 1)})
      if (read.empty() || read.back() != place) read.push_back(place);
  return partition(rows.all, read);
}

}  // namespace

Array median(const Array& x, const AxisSet& axes, Flag keepdims) {
  check_has_numbers("median", x);
  const detail::Rows rows("median", x, axes);
  const Means means(x);
  const InContextOf meanwhile(x);
  if (rows.length == 0)
    return rows.reduced(full(Shape{rows.count}, nan, means.given, x.device()), keepdims);
  Axes read{(rows.length - 1) / 2, rows.length / 2};
  if (has_fractions(x.dtype())) read.push_back(rows.length - 1);
  const Array sorted = partition(rows.all, read).eval();
  const Array low = column(sorted, (rows.length - 1) / 2);
  Array middle = rows.length % 2 ? astype(low, means.used, false)
                                 : means.between(low, column(sorted, rows.length / 2));
  middle = astype(middle, means.given, false);
  if (has_fractions(x.dtype())) {
    const Array last = column(sorted, rows.length - 1);
    middle = where(isnan(last), last, middle);
  }
  return rows.reduced(middle, keepdims);
}

Array nanmedian(const Array& x, const AxisSet& axes, Flag keepdims) {
  check_has_numbers("nanmedian", x);
  if (!has_fractions(x.dtype()) || x.size() == 0) return median(x, axes, keepdims);
  const detail::Rows rows("nanmedian", x, axes);
  const Means means(x);
  const InContextOf meanwhile(x);
  const Array count = sum(logical_not(isnan(rows.all)), 1, true).eval();
  const Array sorted = middles_in_place(rows, count).eval();
  const Array a = detail::pick("nanmedian", sorted, maximum(floor_divide(count - 1, 2), 0));
  const Array b =
      detail::pick("nanmedian", sorted, minimum(floor_divide(count, 2), rows.length - 1));
  // twice one element could be infinite
  const Array middle = where(a == b, astype(a, means.used, false), means.between(a, b));
  return rows.reduced(astype(middle, means.given, false), keepdims);
}

Array quantile(const Array& x, double q, const AxisSet& axes, Flag keepdims,
               std::string_view method) {
  return quantile_of({"quantile", {}, 1, false}, q, x, axes, keepdims, method);
}
Array quantile(const Array& x, std::span<const double> q, const AxisSet& axes, Flag keepdims,
               std::string_view method) {
  return quantile_of({"quantile", {}, 1, false}, q, x, axes, keepdims, method);
}
Array quantile(const Array& x, const Array& q, const AxisSet& axes, Flag keepdims,
               std::string_view method) {
  return quantile_of({"quantile", {}, 1, false}, q, x, axes, keepdims, method);
}
Array percentile(const Array& x, double q, const AxisSet& axes, Flag keepdims,
                 std::string_view method) {
  return quantile_of({"percentile", {}, 100, false}, q, x, axes, keepdims, method);
}
Array percentile(const Array& x, std::span<const double> q, const AxisSet& axes, Flag keepdims,
                 std::string_view method) {
  return quantile_of({"percentile", {}, 100, false}, q, x, axes, keepdims, method);
}
Array percentile(const Array& x, const Array& q, const AxisSet& axes, Flag keepdims,
                 std::string_view method) {
  return quantile_of({"percentile", {}, 100, false}, q, x, axes, keepdims, method);
}
Array nanquantile(const Array& x, double q, const AxisSet& axes, Flag keepdims,
                  std::string_view method) {
  return quantile_of({"nanquantile", {}, 1, true}, q, x, axes, keepdims, method);
}
Array nanquantile(const Array& x, std::span<const double> q, const AxisSet& axes, Flag keepdims,
                  std::string_view method) {
  return quantile_of({"nanquantile", {}, 1, true}, q, x, axes, keepdims, method);
}
Array nanquantile(const Array& x, const Array& q, const AxisSet& axes, Flag keepdims,
                  std::string_view method) {
  return quantile_of({"nanquantile", {}, 1, true}, q, x, axes, keepdims, method);
}
Array nanpercentile(const Array& x, double q, const AxisSet& axes, Flag keepdims,
                    std::string_view method) {
  return quantile_of({"nanpercentile", {}, 100, true}, q, x, axes, keepdims, method);
}
Array nanpercentile(const Array& x, std::span<const double> q, const AxisSet& axes, Flag keepdims,
                    std::string_view method) {
  return quantile_of({"nanpercentile", {}, 100, true}, q, x, axes, keepdims, method);
}
Array nanpercentile(const Array& x, const Array& q, const AxisSet& axes, Flag keepdims,
                    std::string_view method) {
  return quantile_of({"nanpercentile", {}, 100, true}, q, x, axes, keepdims, method);
}

}  // namespace isthmus::inline ISTHMUS_ABI
