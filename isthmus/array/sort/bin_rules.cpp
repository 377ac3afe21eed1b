// bin_rules.cpp: the rules of NumPy 2, histogram_bin_edges, each of which gives a width.
#include "isthmus/array/sort/bin_rules.h"

#include <cmath>
#include <numbers>

#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/reduce/statistics.h"
#include "isthmus/array/sort/quantiles.h"
#include "isthmus/array/sort/rows.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

double number(const Array& x) { return x.item<double>(); }

struct Sample {
  const Array& x;
  double count;
  double range;  ///< The largest element less the smallest one.

  double sqrt_width() const { return range / std::sqrt(count); }
  double sturges_width() const { return range / (std::log2(count) + 1); }
  double rice_width() const { return range / (2 * std::cbrt(count)); }
  double scott_width() const {
    return std::cbrt(24 * std::sqrt(std::numbers::pi) / count) * number(isthmus::std(x));
  }
  double fd_width() const {
    return 2 * (number(quantile(x, 0.75)) - number(quantile(x, 0.25))) / std::cbrt(count);
  }
  double doane_width() const {
    const double spread = number(isthmus::std(x));
    if (count <= 2 || !(spread > 0)) return 0;
    const Array far = (x - mean(x)) / spread;
    const double skewness = std::abs(number(mean(far * far * far)));
    const double of_normal = std::sqrt(6 * (count - 2) / ((count + 1) * (count + 3)));
    return range / (1 + std::log2(count) + std::log2(1 + skewness / of_normal));
  }
  double auto_width() const {
    return std::min(std::max(fd_width(), sqrt_width() / 2), sturges_width());
  }
};

struct Rule {
  std::string_view name;
  double (Sample::*width)() const;
};
constexpr Rule rules[] = {{"auto", &Sample::auto_width},      {"doane", &Sample::doane_width},
                          {"fd", &Sample::fd_width},          {"rice", &Sample::rice_width},
                          {"scott", &Sample::scott_width},    {"sqrt", &Sample::sqrt_width},
                          {"sturges", &Sample::sturges_width}};

const Rule& rule_of(std::string_view name) {
  for (const Rule& rule : rules)
    if (rule.name == name) return rule;
  fail(Errc::value, "histogram: bins: '{}' is none of auto, doane, fd, rice, scott, sqrt, sturges",
       name);
}

}  // namespace

std::int64_t bins_by_rule(std::string_view name, const Array& given, double first, double last) {
  const Rule& rule = rule_of(name);
  const InContextOf meanwhile(given);
  const bool is_integer = !has_fractions(given.dtype());
  const Array numbers = astype(in_one_row(given), mean_dtype(given), false);
  const Array all = astype(numbers, summing_dtype(numbers.dtype()), false).eval();
  const Array x = Array(all[(all >= first) & (all <= last)]).eval();
  if (x.size() == 0) return 1;
  const Sample sample{x, static_cast<double>(x.size()), number(max(x)) - number(min(x))};
  double width = (sample.*rule.width)();
  if (!(width > 0)) return 1;
  if (is_integer) width = std::max(width, 1.0);
  const double bins = std::ceil((last - first) / width);
  check(bins < 1e15, Errc::value, "histogram: bins: '{}' asks for {} bins; give a number", name,
        bins);
  return std::max<std::int64_t>(static_cast<std::int64_t>(bins), 1);
}

}  // namespace isthmus::inline ISTHMUS_ABI::detail
