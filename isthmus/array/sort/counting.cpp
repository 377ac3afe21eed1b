// counting.cpp: sums and counts by an index, from a stable sort of the indices.
#include "isthmus/array/sort/counting.h"

#include <cmath>
#include <tuple>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/index/take.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/sort/bin_rules.h"
#include "isthmus/array/sort/rows.h"
#include "isthmus/array/sort/run_sums.h"
#include "isthmus/array/sort/sort.h"
#include "isthmus/array/text/format.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using detail::add_to;
using detail::adds_by_position;
using detail::counted;
using detail::load;
using detail::RunSums;
using detail::store;
using detail::sum_runs;

/// Sums of weights by the number beside them, in this dtype.
Array weighed(std::string_view who, const Array& x, const Array& weights, std::int64_t length,
              DType dtype) {
  const Array made = zeros(Shape{length}, dtype, x.device());
  if (x.size() == 0) return made;
  const Array row = detail::in_one_row(astype(x, TypeId::int64, false));
  if (adds_by_position(dtype, x.device())) {
    add_to(who, made, row, detail::in_one_row(astype(weights, dtype, false)));
    return made;
  }
  const RunSums all = sum_runs(who, row, detail::in_one_row(astype(weights, dtype, false)));
  const Array sums = all.sums + zeros(Shape{1}, dtype, x.device());  // no -0
  store(who, made, all.positions, sums, true);
  return made;
}

void check_weights(std::string_view who, const Array& x, const Array& weights) {
  check(weights.shape() == x.shape(), Errc::value, "{}: weights of shape {} for an array of {}",
        who, weights.shape(), x.shape());
  check(weights.device() == x.device(), Errc::device_mismatch,
        "{}: the array is on {}, the weights on {}; move one with to_device", who, x.device(),
        weights.device());
}

}  // namespace

void add_at(const Array& x, std::span<const IndexEntry> indices, const Value& values) {
  check(x.ndim() > 0, Errc::value, "add_at: an array without axes; x += value adds to it");
  check(!x.is_read_only(), Errc::value,
        "add_at: the array is read-only (a broadcast, or read-only memory); copy it first");
  const Value both[] = {x, values};
  const DType common = result_type("add_at", both);
  check(family_rank(common) <= family_rank(x.dtype()), Errc::type,
        "add_at: the sum is {} and does not fit the array's dtype {}; cast the values with astype",
        common, x.dtype());
  const InContextOf meanwhile(x);
  const DType dtype = calculated_in(common, x.device());
  const Array added = values.array ? astype(*values.array, dtype, false)
                                   : full({}, values, dtype, x.device(), "add_at");
  const auto spread = [&](const Dims& shape) {
    return seen_as(added, broadcast("add_at", added.layout(), shape), true);
  };
  const auto choice = detail::choice_by("add_at", x, indices);
  if (!choice) {  // a view, of which no element is meant twice
    const Array view = index(x, indices);
    const Array sum = astype(view, dtype, false) + spread(view.shape());
    return assign(view, astype(sum, x.dtype(), false).eval());
  }
  detail::LateIndexList late;
  const Array at = choice->positions("add_at", x, late), each = spread(at.shape());
  if (at.size() == 0) return void(guarded(at, late, true));
  // of integers the sum has the same bits in a wider dtype
  const bool is_summed_there = !has_fractions(x.dtype()) || dtype == x.dtype();
  if (is_summed_there && adds_by_position(x.dtype(), x.device()))
    return add_to("add_at", x, guarded(at, late, true), astype(each, x.dtype(), false));
  const RunSums all = sum_runs("add_at", detail::in_one_row(at), detail::in_one_row(each));
  const Array old = astype(load("add_at", x, maximum(all.positions, 0)), dtype, false);
  store("add_at", x, guarded(all.positions, late, true),
        astype(old + all.sums, x.dtype(), false).eval(), true);
}

void add_at(const Array& x, const Array& indices, const Value& values) {
  const IndexEntry one(indices);
  add_at(x, std::span(&one, 1), values);
}

Array bincount(const Array& x, const std::optional<Array>& weights, AnyInteger minlength) {
  const Family family = x.dtype().family;
  check(family == Family::boolean || family == Family::integer || family == Family::natural,
        Errc::type, "bincount: does not accept {}; it accepts bool and integers", x.dtype());
  check(x.ndim() == 1, Errc::value, "bincount: an array of {}; one is needed",
        detail::AxisCount(x.ndim()));
  check(minlength >= 0, Errc::value, "bincount: minlength is {}; it must be 0 or more", minlength);
  if (weights) {
    check_weights("bincount", x, *weights);
    check_is_ordered("bincount", *weights, " as weights");
  }
  const InContextOf meanwhile(x);
  std::int64_t length = minlength;
  if (x.size()) {
    const Array numbers = x.eval();
    if (!weights)
      if (const auto counts = detail::counted_at_once(numbers, length)) return *counts;
    // pending, so that one kernel finds both
    const Array most =
        max(astype(numbers, family == Family::boolean ? TypeId::uint8 : x.dtype(), false));
    if (family == Family::integer) {
      const auto least = min(numbers).item<std::int64_t>();
      check(least >= 0, Errc::value, "bincount: an element is {}; all must be 0 or more", least);
    }
    check(!(most >= INT64_MAX).item<bool>(), Errc::value,
          "bincount: the element {} is too large to count up to", to_string(most));
    length = std::max(length, most.item<std::int64_t>() + 1);
  }
  if (weights) return weighed("bincount", x, *weights, length, default_real(x.device()));
  if (x.size() == 0) return zeros(Shape{length}, TypeId::int64, x.device());
  return counted("bincount", x, length);
}

namespace {

/// The bin of each element; `bins` for what is in none.
Array bins_of(const Array& x, const Array& edges, std::int64_t bins) {
  const Value both[] = {x, edges};
  const DType dtype = calculated_in(result_type("histogram", both), x.device());
  const Array elements = astype(x, dtype, false);
  const Array sorted = detail::in_one_row(astype(edges, dtype, false)).eval();
  const Array bin = detail::search("histogram", sorted, elements, true) - 1;
  const Array last = sorted[{slice(bins)}];
  return detail::in_one_row(where(bin < 0, bins, where(elements == last, bins - 1, bin)));
}

/// Whether the bins of even edges can be calculated to within one: numbers of 32 or 64 bits, far
/// from where they overflow or lose bits.
bool can_calculate_bins(double first, double last, std::int64_t bins, DType dtype) {
  if (dtype.bits < 32) return false;
  const bool is_wide = dtype.bits == 64;
  const double most = is_wide ? 1e300 : 1e30, width = (last - first) / static_cast<double>(bins);
  return last - first <= most && width >= 1 / most && bins <= (is_wide ? 1 << 30 : 1 << 18);
}

/// The same as bins_of where edges are even: calculated, then compared with the edges beside it.
Array even_bins_of(const Array& x, const Array& edges, std::int64_t bins) {
  const Value both[] = {x, edges};
  const DType dtype = calculated_in(result_type("histogram", both), x.device());
  const Array elements = detail::in_one_row(astype(x, dtype, false));
  const Array row = detail::in_one_row(astype(edges, dtype, false)).eval();
  const Array first = row[{0}], last = row[{bins}];
  const Array inside = logical_and(elements >= first, elements <= last);
  const Array part = (where(inside, elements, first) - first) / (last - first);
  const Array guess = minimum(astype(part * bins, TypeId::int64), bins - 1).eval();
  const Array low = take(row, guess, 0, Outside::clip);
  const Array high = take(row, guess + 1, 0, Outside::clip);
  const Array is_above = logical_and(elements >= high, guess < bins - 1);
  const Array bin = guess - astype(elements < low, TypeId::int64) + astype(is_above, TypeId::int64);
  return where(inside, bin, bins);
}

/// From so many elements on the host sorts them, and looks for the edges among them.
constexpr std::int64_t many_elements = 1 << 14;

/// The number of elements of each bin, from where the edges are among the elements in order.
/// Nothing if the last edge is NaN, which is behind all of them.
std::optional<Array> counted_in_order(const Array& x, const Array& edges, std::int64_t bins) {
  const Value both[] = {x, edges};
  const DType dtype = calculated_in(result_type("histogram", both), x.device());
  const Array row = detail::in_one_row(astype(edges, dtype, false)).eval();
  const Array last = row[{slice(bins)}];
  if (any(last != last).item<bool>()) return {};
  const Array sorted = sort(detail::in_one_row(astype(x, dtype, false))).eval();
  const Array begin = detail::search("histogram", sorted, row[{slice({}, bins)}], false);
  const Array end = detail::search("histogram", sorted, last, true);
  return concat({begin[{slice(1)}], end}) - begin;
}

Histogram histogram_of(const Array& x, const Array& edges, const HistogramOptions& options,
                       bool is_even = false) {
  const std::int64_t bins = std::max<std::int64_t>(edges.size() - 1, 0);
  const DType of_counts = options.weights ? options.weights->dtype() : DType(TypeId::int64);
  Array counts = zeros(Shape{bins}, of_counts, x.device());
  std::optional<Array> found;
  const bool may_sort = !is_even && !options.weights && x.device().is_host();
  if (may_sort && bins && x.size() >= many_elements) found = counted_in_order(x, edges, bins);
  if (found) {
    counts = astype(*found, of_counts, false);
  } else if (x.size() && bins) {
    const Array bin = is_even ? even_bins_of(x, edges, bins) : bins_of(x, edges, bins);
    const auto weights =
        options.weights ? std::optional(detail::in_one_row(*options.weights)) : std::nullopt;
    const DType sums = has_fractions(of_counts) ? promote(of_counts, default_real(x.device()))
                                                : calculated_in(of_counts, x.device());
    const Array all = weights ? weighed("histogram", bin, *weights, bins + 1, sums)
                              : counted("histogram", bin, bins + 1);
    counts = astype(all[{slice({}, bins)}], of_counts);
  }
  if (options.density) {
    const Array widths = edges[{slice(1)}] - edges[{slice({}, bins)}];
    const DType real = default_real(x.device());
    const bool is_complex = of_counts.family == Family::complex;
    const Array all = astype(counts, is_complex ? promote(of_counts, real) : real, false);
    counts = all / astype(widths, real, false) / sum(all);
  }
  return {counts, edges};
}

void check_histogram(const Array& x, const HistogramOptions& options) {
  check_is_ordered("histogram", x);
  if (!options.weights) return;
  check_weights("histogram", x, *options.weights);
  check_has_numbers("histogram", *options.weights, " as weights");
}

using Range = std::optional<std::pair<double, double>>;

/// From where to where bins are. Waits for the smallest and the largest element.
std::pair<double, double> outer_edges(const Array& x, const Range& range) {
  double first = 0, last = 1;
  if (range) {
    std::tie(first, last) = *range;
    check(!(first > last), Errc::value, "histogram: the range from {} to {} decreases", first,
          last);
  } else if (x.size()) {
    const Array seen = x.dtype().family == Family::boolean ? astype(x, TypeId::uint8) : x;
    first = min(seen).item<double>(), last = max(seen).item<double>();
  }
  check(std::isfinite(first) && std::isfinite(last), Errc::value,
        "histogram: the range from {} to {} is not finite; give one that is", first, last);
  if (first == last) first -= 0.5, last += 0.5;
  return {first, last};
}

/// Edges between two elements, in their dtype at each step, as NumPy calculates them; linspace
/// rounds once.
Array edges_between(double first, double last, std::int64_t bins, DType dtype,
                    const Device& device) {
  const auto number = [&](double value) { return full({}, value, dtype, device); };
  const Array begin = number(first), end = number(last);
  const Array index = index_along(Shape{bins + 1}, 0, device);
  const Array step = (end - begin) / number(static_cast<double>(bins));
  return where(index == bins, end, astype(index, dtype) * step + begin);
}

Histogram even_histogram(const Array& x, std::int64_t bins, const Range& range,
                         const HistogramOptions& options) {
  const bool is_real = x.dtype().family == Family::real;
  const DType dtype = is_real ? x.dtype() : default_real(x.device());
  const auto [first, last] = outer_edges(x, range);
  const Array edges =
      (is_real && !range && x.size() ? edges_between(first, last, bins, dtype, x.device())
                                     : linspace(first, last, bins + 1, dtype, true, x.device()))
          .eval();
  const Array ascends = edges[{slice(1)}] > edges[{slice({}, -1)}];
  check(
      all(ascends).item<bool>(), Errc::value,
      "histogram: {} bins from {} to {} have edges that are equal or not finite in {}; take fewer "
      "bins or another range",
      bins, first, last, dtype);
  return histogram_of(x, edges, options, can_calculate_bins(first, last, bins, dtype));
}

}  // namespace

Histogram histogram(const Array& x, AnyInteger bins, Range range, const HistogramOptions& options) {
  check_histogram(x, options);
  check(bins > 0, Errc::value, "histogram: {} bins; at least 1 is needed", bins);
  const InContextOf meanwhile(x);
  return even_histogram(x, bins, range, options);
}

Histogram histogram(const Array& x, std::string_view rule, Range range,
                    const HistogramOptions& options) {
  check_histogram(x, options);
  check(!options.weights, Errc::type,
        "histogram: bins: '{}' does not count weights; give a number of bins or edges", rule);
  const InContextOf meanwhile(x);
  const auto outer = outer_edges(x, range);
  const std::int64_t bins = detail::bins_by_rule(rule, x, outer.first, outer.second);
  return even_histogram(x, bins, outer, options);
}

Histogram histogram(const Array& x, const Array& edges, const HistogramOptions& options) {
  check_histogram(x, options);
  check(edges.ndim() == 1, Errc::value, "histogram: edges of {}; one is needed",
        detail::AxisCount(edges.ndim()));
  check_is_ordered("histogram", edges, " as edges");
  check(edges.device() == x.device(), Errc::device_mismatch,
        "histogram: the array is on {}, the edges on {}; move one with to_device", x.device(),
        edges.device());
  const InContextOf meanwhile(x);
  if (edges.size() > 1) {
    const Array falls = edges[{slice({}, -1)}] > edges[{slice(1)}];
    check(!any(falls).item<bool>(), Errc::value, "histogram: the edges decrease; sort them");
  }
  return histogram_of(x, edges, options);
}

}  // namespace isthmus::inline ISTHMUS_ABI
