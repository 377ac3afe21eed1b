// statistics.cpp: statistics as expressions of sums, largest elements and maps.
#include "isthmus/array/reduce/statistics.h"

#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/along.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/results.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// The first element along the axes, for each of the others.
Array first_along(const Array& x, const AxisSet& axes) {
  const auto chosen = axes.get();
  std::vector<IndexItem> items(static_cast<std::size_t>(x.ndim()), slice());
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const auto is_it = [&](std::int64_t other) {
      return checked_axis("var", other, x.ndim()) == axis;
    };
    if (!chosen || std::ranges::any_of(*chosen, is_it)) items[static_cast<std::size_t>(axis)] = 0;
  }
  return index(x, items);
}

/// The mean, from what elements differ from one of them: where they lie close together, far from 0,
/// the rounding of their sum would be as large as their spread.
Array centre(const Array& x, const AxisSet& axes) {
  if (x.size() == 0) return mean(x, axes);
  const Array first = first_along(x, axes);
  return mean(x - with_axes_kept(first, x.ndim(), axes), axes) + first;
}

Array spread(const char* who, Array x, const AxisSet& axes, bool keepdims, double correction,
             std::optional<DType> as, bool is_root) {
  check_has_numbers(who, x);
  check_holds_fractions(who, x, as);
  const std::int64_t count = count_along(who, x, axes);
  if (as) x = astype(std::move(x), *as, false);
  const DType dtype = mean_dtype(x);
  x = astype(std::move(x), summing_dtype(dtype), false);
  Array far = x - with_axes_kept(centre(x, axes), x.ndim(), axes);
  Array squares = sum(squared_size(std::move(far)), axes);
  const double divisor = std::max(static_cast<double>(count) - correction, 0.0);
  Array made = std::move(squares) / divisor;
  if (is_root) made = sqrt(std::move(made));
  made = astype(std::move(made), as.value_or(real_part(dtype)), false);
  return keepdims ? with_axes_kept(made, x.ndim(), axes) : made;
}

/// Weights as an array that broadcasts with x.
Array beside(const Array& x, const AxisSet& over, const Array& weights) {
  if (weights.shape() == x.shape()) return weights;
  const auto axes = over.get();
  check(axes.has_value(), Errc::type,
        "average: weights of shape {} for shape {}; name the axes that they are for",
        weights.shape(), x.shape());
  Shape wanted, whole(Dims(static_cast<std::size_t>(x.ndim()), 1));
  for (const std::int64_t axis : *axes) wanted.push_back(x.shape(axis));
  check(weights.shape() == wanted, Errc::value,
        "average: weights of shape {} for axes of shape {}; use that shape, or {}", weights.shape(),
        Dims(wanted), x.shape());
  // in the order of x's axes
  Axes order(Dims(axes->size(), 0));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  const auto of_x = [&](std::int64_t i) {
    return checked_axis("average", (*axes)[static_cast<std::size_t>(i)], x.ndim());
  };
  std::sort(order.begin(), order.end(),
            [&](std::int64_t a, std::int64_t b) { return of_x(a) < of_x(b); });
  for (const std::int64_t axis : *axes)
    whole[static_cast<std::size_t>(checked_axis("average", axis, x.ndim()))] = x.shape(axis);
  return reshape(permute_dims(weights, order), whole);
}

DType average_dtype(const Array& x, const Array& weights) {
  const Value both[] = {x, weights};
  DType dtype = result_type("average", both);
  const DType real = default_real(x.device());
  if (!has_fractions(dtype)) return real;
  if (!has_fractions(x.dtype())) dtype = promote(dtype, real);
  return had_by(x.device(), dtype);
}

}  // namespace

Array var(Array x, const AxisSet& axes, Flag keepdims, double correction,
          std::optional<DType> dtype) {
  return spread("var", std::move(x), axes, keepdims, correction, dtype, false);
}

Array std(Array x, const AxisSet& axes, Flag keepdims, double correction,
          std::optional<DType> dtype) {
  return spread("std", std::move(x), axes, keepdims, correction, dtype, true);
}

Array logsumexp(Array x, const AxisSet& axes, Flag keepdims) {
  check_is_ordered("logsumexp", x);
  const std::int64_t count = count_along("logsumexp", x, axes);
  const DType dtype = mean_dtype(x);
  x = astype(std::move(x), summing_dtype(dtype), false);
  if (count == 0) return astype(log(sum(exp(std::move(x)), axes, keepdims)), dtype, false);
  const Array largest = max(x, axes);
  // an infinite one less itself would be NaN
  const Array origin = where(isfinite(largest), largest, 0);
  const int ndim = x.ndim();
  Array powers = sum(exp(std::move(x) - with_axes_kept(origin, ndim, axes)), axes);
  const Array made = astype(log(std::move(powers)) + origin, dtype, false);
  return keepdims ? with_axes_kept(made, ndim, axes) : made;
}

MinMax min_max(const Array& x, const AxisSet& axes, Flag keepdims) {
  check_is_ordered("min_max", x);
  detail::check_has_elements("min_max", x.shape(), marked("min_max", axes.get(), x.ndim()));
  const auto both = detail::from_one_kernel<2>(
      [&] { return std::array{min(x, axes, keepdims), max(x, axes, keepdims)}; });
  return {both[0], both[1]};
}

Array average(const Array& x, const AxisSet& axes, const std::optional<Array>& weights,
              Flag keepdims) {
  check_has_numbers("average", x);
  count_along("average", x, axes);
  if (!weights) return mean(x, axes, keepdims);
  check_has_numbers("average", *weights);
  const Array both[] = {x, *weights};
  const InContextOf meanwhile("average", both);
  const DType dtype = average_dtype(x, *weights), wide = summing_dtype(dtype);
  const Array each = astype(beside(x, axes, *weights), wide, false);
  Array whole = sum(astype(x, wide, false) * each, axes);
  const Array made = astype(std::move(whole) / sum(each, axes), dtype, false);
  return keepdims ? with_axes_kept(made, x.ndim(), axes) : made;
}

}  // namespace isthmus::inline ISTHMUS_ABI
