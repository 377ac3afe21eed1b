// gradient.cpp: differences of neighbours, divided by their distances.
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/arrange/neighbours.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// One axis of f, and the distances of its elements.
struct Line {
  const Array& f;
  int axis;
  std::int64_t length;
  Array steps;  ///< Broadcasts with f: one along the axis less than f has, or a single one.
  bool is_even;

  Array at(std::int64_t begin, std::int64_t end) const { return part_of(f, axis, begin, end); }
  Array at(std::int64_t i) const { return at(i, i + 1); }
  Array step(std::int64_t begin, std::int64_t end) const {
    return is_even ? steps : part_of(steps, axis, begin, end);
  }
  Array step(std::int64_t i) const { return step(i, i + 1); }
};

Array inside(const Line& line) {
  const std::int64_t n = line.length;
  if (line.is_even) return (line.at(2, n) - line.at(0, n - 2)) / (line.steps * 2);
  const Array to = line.step(0, n - 2), from = line.step(1, n - 1), both = to + from;
  return line.at(2, n) * (to / (from * both)) + line.at(1, n - 1) * ((from - to) / (to * from)) -
         line.at(0, n - 2) * (from / (to * both));
}

Array slope(const Line& line, std::int64_t i) {
  return (line.at(i + 1) - line.at(i)) / line.step(i);
}

/// The derivative at an end by the parabola through three elements; `near` and `far` are the
/// distances from the end, and the terms have the sign that they have at the first end.
Array end_of_parabola(const Array& end, const Array& next, const Array& third, const Array& near,
                      const Array& far) {
  const Array both = near + far;
  return next * (both / (near * far)) - end * ((near + both) / (near * both)) -
         third * (near / (far * both));
}

Array derivative(const Line& line, int edge_order) {
  const std::int64_t n = line.length;
  if (edge_order == 1) return concat({slope(line, 0), inside(line), slope(line, n - 2)}, line.axis);
  const Array first =
      end_of_parabola(line.at(0), line.at(1), line.at(2), line.step(0), line.step(1));
  const Array last = end_of_parabola(line.at(n - 1), line.at(n - 2), line.at(n - 3),
                                     line.step(n - 2), line.step(n - 3));
  return concat({first, inside(line), -last}, line.axis);
}

/// Distances as an array that broadcasts with f.
Line line_of(const Array& f, int axis, const Value& spacing) {
  const std::int64_t length = length_of(f, axis);
  const DType real = real_part(f.dtype());
  if (!spacing.array) {
    Array step = full({}, spacing, real, f.device(), "gradient");
    return {f, axis, length, std::move(step), true};
  }
  const Array& given = *spacing.array;
  check_is_ordered("gradient", given);
  const DType as = has_fractions(given.dtype()) ? promote(given.dtype(), real) : real;
  Array numbers = astype(given, has_dtype(f.device(), as) ? as : real, false);
  if (given.ndim() == 0) return {f, axis, length, std::move(numbers), true};
  check(given.ndim() == 1 && given.size() == length, Errc::value,
        "gradient: coordinates of shape {} for axis {} of length {}; one for each element, or one "
        "distance, is needed",
        given.shape(), axis, length);
  Shape shape(Dims(static_cast<std::size_t>(f.ndim()), 1));
  shape[static_cast<std::size_t>(axis)] = length - 1;
  Array steps = part_of(numbers, 0, 1, length) - part_of(numbers, 0, 0, length - 1);
  return {f, axis, length, reshape(steps, shape), false};
}

Axes axes_of(const Array& f, const AxisSet& axes) {
  const auto chosen = axes.get();
  Axes all;
  if (chosen) count_along("gradient", f, axes);  // checks them
  for (int i = 0; i < f.ndim() && !chosen; ++i) all.push_back(i);
  for (std::size_t i = 0; chosen && i < chosen->size(); ++i)
    all.push_back(checked_axis("gradient", (*chosen)[i], f.ndim()));
  return all;
}

}  // namespace

std::vector<Array> gradient(const Array& x, const std::vector<Value>& spacing, const AxisSet& over,
                            AnyInteger edge_order) {
  check_has_numbers("gradient", x);
  check(x.dtype().family != Family::boolean, Errc::type,
        "gradient: does not accept bool; it accepts integers, floats, complex");
  check(edge_order == 1 || edge_order == 2, Errc::value,
        "gradient: edge_order is {}; it must be 1 or 2", edge_order);
  const Axes axes = axes_of(x, over);
  const bool is_one = spacing.size() == 1 && (!spacing[0].array || spacing[0].array->ndim() == 0);
  check(spacing.empty() || is_one || spacing.size() == axes.size(), Errc::type,
        "gradient: spacing has {} {} for {}; one for each, or one distance for all", spacing.size(),
        spacing.size() == 1 ? "entry" : "entries", detail::AxisCount(axes.size()));
  const InContextOf meanwhile(x);
  const DType dtype = mean_dtype(x);
  const Array f = astype(x, summing_dtype(dtype), false);
  std::vector<Array> all;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<int>(axes[i]);
    check(length_of(f, axis) > edge_order, Errc::value,
          "gradient: axis {} has length {}; edge_order {} needs at least {}", axis,
          length_of(f, axis), edge_order, edge_order + 1);
    const Value step = spacing.empty() ? Value(1) : spacing[is_one ? 0 : i];
    all.push_back(astype(derivative(line_of(f, axis, step), edge_order), dtype, false));
  }
  return all;
}

}  // namespace isthmus::inline ISTHMUS_ABI
