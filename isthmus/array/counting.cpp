// counting.cpp: sums and counts by an index, from a stable sort of the indices.
#include "isthmus/array/counting.h"

#include <cmath>
#include <tuple>

#include "isthmus/array/apply.h"
#include "isthmus/array/create.h"
#include "isthmus/array/format.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index.h"
#include "isthmus/array/literal.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/array/place.h"
#include "isthmus/array/positions.h"
#include "isthmus/array/rows.h"
#include "isthmus/array/run_sums.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using detail::counted;
using detail::load;
using detail::RunSums;
using detail::store;
using detail::sum_runs;

int rank(DType dtype) {
  constexpr int ranks[] = {0, 2, 1, 3, 4, 5};
  return ranks[static_cast<int>(dtype.family)];
}

/// Sums of weights by the number beside them, in this dtype.
Array weighed(std::string_view who, const Array& x, const Array& weights, std::int64_t length,
              DType dtype) {
  const Array made = zeros(Shape{length}, dtype, x.device());
  if (x.size() == 0) return made;
  const Array row = detail::in_one_row(astype(x, TypeId::int64, false));
  const RunSums all = sum_runs(who, row, detail::in_one_row(astype(weights, dtype, false)), length);
  store(who, made, all.positions, all.sums + zeros(Shape{1}, dtype, x.device()), true);
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

void add_at(const Array& x, const Array& indices, const Value& values) {
  check(x.ndim() > 0, Errc::value, "add_at: an array without axes; x += value adds to it");
  check(!x.is_read_only(), Errc::value,
        "add_at: the array is read-only (a broadcast, or read-only memory); copy it first");
  const Value both[] = {x, values};
  const DType common = result_type("add_at", both);
  check(rank(common) <= rank(x.dtype()), Errc::type,
        "add_at: the sum is {} and does not fit the array's {}; cast the values with astype",
        common, x.dtype());
  const InContextOf meanwhile(x);
  const Device device = x.device();
  // the positions of all elements that are added to
  Shape shape = indices.shape();
  for (int axis = 1; axis < x.ndim(); ++axis) shape.push_back(x.shape(axis));
  Shape apart = indices.shape();
  for (int axis = 1; axis < x.ndim(); ++axis) apart.push_back(1);
  const Layout& layout = x.layout();
  const Array wide = detail::checked_indices("add_at", indices, x.shape(0), 0);
  Array at = reshape(wide, apart) * layout.strides[0] + detail::Positions(layout).first;
  for (int axis = 1; axis < x.ndim(); ++axis) {
    const int behind = axis + indices.ndim() - 1;
    at = at + index_along(shape, behind, device) * layout.strides[static_cast<std::size_t>(axis)];
  }
  const DType dtype = detail::calculated_in(common, device);
  const Array added = values.array ? astype(*values.array, dtype, false)
                                   : full({}, values, dtype, device, "add_at");
  const Array spread = broadcast_to(added, shape);
  if (product_of({shape.begin(), shape.end()}) == 0) return;
  const RunSums all = sum_runs("add_at", detail::in_one_row(at), detail::in_one_row(spread),
                               detail::Positions(layout).count);
  const Array old = astype(load("add_at", x, maximum(all.positions, 0)), dtype, false);
  store("add_at", x, all.positions, astype(old + all.sums, x.dtype(), false).eval(), true);
}

Array bincount(const Array& x, const std::optional<Array>& weights, std::int64_t minlength) {
  const Family family = x.dtype().family;
  check(family == Family::boolean || family == Family::integer || family == Family::natural,
        Errc::type, "bincount: does not accept {}; it accepts bool and integers", x.dtype());
  check(x.ndim() == 1, Errc::value, "bincount: an array of {} axes; one is needed", x.ndim());
  check(minlength >= 0, Errc::value, "bincount: minlength is {}; 0 or more can be", minlength);
  if (weights) {
    check_weights("bincount", x, *weights);
    check(weights->dtype().is_builtin() && weights->dtype().family != Family::complex, Errc::type,
          "bincount: does not accept {} as weights; it accepts bool, integers and floats",
          weights->dtype());
  }
  const InContextOf meanwhile(x);
  std::int64_t length = minlength;
  if (x.size()) {
    const Array numbers = x.eval();
    if (family == Family::integer) {
      const auto least = min(numbers).item<std::int64_t>();
      check(least >= 0, Errc::value, "bincount: the number {}; 0 or more can be", least);
    }
    const Array most =
        max(astype(numbers, family == Family::boolean ? TypeId::uint8 : x.dtype(), false));
    check(!(most >= INT64_MAX).item<bool>(), Errc::value,
          "bincount: the number {} is too large to count up to it", to_string(most));
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
  const DType dtype = detail::calculated_in(result_type("histogram", both), x.device());
  const Array elements = astype(x, dtype, false);
  const Array sorted = detail::in_one_row(astype(edges, dtype, false)).eval();
  const Array bin = detail::search("histogram", sorted, elements, true) - 1;
  const Array last = sorted[{slice(bins)}];
  return detail::in_one_row(where(bin < 0, bins, where(elements == last, bins - 1, bin)));
}

Histogram histogram_of(const Array& x, const Array& edges, const HistogramOptions& options) {
  const std::int64_t bins = std::max<std::int64_t>(edges.size() - 1, 0);
  const DType of_counts = options.weights ? options.weights->dtype() : DType(TypeId::int64);
  Array counts = zeros(Shape{bins}, of_counts, x.device());
  if (x.size() && bins) {
    const Array bin = bins_of(x, edges, bins);
    const auto weights =
        options.weights ? std::optional(detail::in_one_row(*options.weights)) : std::nullopt;
    const Array all = weights ? weighed("histogram", bin, *weights, bins + 1,
                                        detail::calculated_in(of_counts, x.device()))
                              : counted("histogram", bin, bins + 1);
    counts = astype(all[{slice({}, bins)}], of_counts);
  }
  if (options.density) {
    const Array widths = edges[{slice(1)}] - edges[{slice({}, bins)}];
    const Array real = astype(counts, default_real(x.device()), false);
    counts = real / astype(widths, default_real(x.device()), false) / sum(real);
  }
  return {counts, edges};
}

void check_histogram(const Array& x, const HistogramOptions& options) {
  check(x.dtype().is_builtin() && x.dtype().family != Family::complex, Errc::type,
        "histogram: does not accept {}; it accepts bool, integers and floats", x.dtype());
  if (!options.weights) return;
  check_weights("histogram", x, *options.weights);
  check(options.weights->dtype().is_builtin(), Errc::type,
        "histogram: does not accept {} as weights", options.weights->dtype());
}

}  // namespace

Histogram histogram(const Array& x, std::int64_t bins,
                    std::optional<std::pair<double, double>> range,
                    const HistogramOptions& options) {
  check_histogram(x, options);
  check(bins > 0, Errc::value, "histogram: {} bins; 1 or more can be", bins);
  const InContextOf meanwhile(x);
  double first = 0, last = 1;
  if (range) {
    std::tie(first, last) = *range;
    check(first <= last, Errc::value, "histogram: the range from {} to {} falls", first, last);
  } else if (x.size()) {
    const Array seen = x.dtype().family == Family::boolean ? astype(x, TypeId::uint8) : x;
    first = min(seen).item<double>(), last = max(seen).item<double>();
  }
  check(std::isfinite(first) && std::isfinite(last), Errc::value,
        "histogram: the range from {} to {} is not finite; give one that is", first, last);
  if (first == last) first -= 0.5, last += 0.5;
  const bool is_real = x.dtype().family == Family::real;
  const DType dtype = is_real ? x.dtype() : default_real(x.device());
  return histogram_of(x, linspace(first, last, bins + 1, dtype, true, x.device()).eval(), options);
}

Histogram histogram(const Array& x, const Array& edges, const HistogramOptions& options) {
  check_histogram(x, options);
  check(edges.ndim() == 1, Errc::value, "histogram: edges with {} axes; one is needed",
        edges.ndim());
  check(edges.dtype().is_builtin() && edges.dtype().family != Family::complex, Errc::type,
        "histogram: does not accept {} as edges; it accepts bool, integers and floats",
        edges.dtype());
  check(edges.device() == x.device(), Errc::device_mismatch,
        "histogram: the array is on {}, the edges on {}; move one with to_device", x.device(),
        edges.device());
  const InContextOf meanwhile(x);
  if (edges.size() > 1) {
    const Array falls = edges[{slice({}, -1)}] > edges[{slice(1)}];
    check(!any(falls).item<bool>(), Errc::value, "histogram: edges that fall; sort them");
  }
  return histogram_of(x, edges, options);
}

}  // namespace isthmus::inline ISTHMUS_ABI
