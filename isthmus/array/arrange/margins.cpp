// margins.cpp: margins of copies of elements, or of what is calculated from those beside them.
#include "isthmus/array/arrange/margins.h"

#include <cmath>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/arrange/pieces.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/sort/quantiles.h"
#include "isthmus/array/sort/sort.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using detail::Margin, detail::Padded;

Shape with_length(const Array& x, int axis, std::int64_t length) {
  Shape shape = x.shape();
  shape[static_cast<std::size_t>(axis)] = length;
  return shape;
}

/// Between two margins, which `make` gives: of so many elements, at the beginning or not.
Array between(const Array& x, const Padded& at, const auto& make) {
  std::vector<Array> parts;
  if (at.before > 0) parts.push_back(make(at.before, true));
  parts.push_back(x);
  if (at.after > 0) parts.push_back(make(at.after, false));
  return concat(parts, at.axis);
}

/// Which elements of an axis lie in a margin: int64, from `first` on, which counts on from element
/// 0 and may be negative.
Array sources(const Array& x, std::int64_t first, std::int64_t count, std::int64_t length,
              Margin margin) {
  const Array place = index_along(Shape{count}, 0, x.device()) + first;
  if (margin == Margin::wrap) return remainder(place, length);
  // there and back, at the ends with or without the element twice; no memory has INT64_MAX of them
  const std::int64_t least = margin == Margin::reflect ? 1 : 0;
  const std::int64_t turn = length > INT64_MAX / 2 ? INT64_MAX : 2 * (length - least);
  const Array there = remainder(place, turn);
  return minimum(there, (turn - 1 + least) - there);
}

/// The largest or the smallest element along an axis. max() and min() have no complex numbers.
Array extreme(const Array& x, int axis, bool is_largest) {
  if (x.dtype().family != Family::complex)
    return is_largest ? max(x, axis, true) : min(x, axis, true);
  const std::int64_t last = length_of(x, axis) - 1;
  const Array ordered = partition(x, Axes{0, last}, axis).eval();
  const Array largest = part_of(ordered, axis, last, last + 1);
  if (is_largest) return largest;
  return where(isnan(largest), largest, part_of(ordered, axis, 0, 1));
}

/// A statistic of elements begin to end of an axis, as the array's dtype has it.
Array statistic_of(const Array& x, int axis, std::int64_t begin, std::int64_t end, Margin margin) {
  const Array part = part_of(x, axis, begin, end);
  if (margin == Margin::maximum || margin == Margin::minimum)
    return extreme(part, axis, margin == Margin::maximum);
  Array middle = margin == Margin::mean ? mean(part, axis, true) : median(part, axis, true);
  if (is_integer(x.dtype())) middle = round(middle);
  return astype(middle, x.dtype(), false);
}

/// Throws for the end of a ramp that integers cannot hold when it is rounded down.
void check_end(const Value& end, DType dtype) {
  constexpr auto who = "pad: end_values";
  if (end.array) return;
  const bool is_real = !end.is_past_64_bits && end.scalar.dtype.family == Family::real;
  check_fits(who, is_real ? Value(std::floor(end.scalar.number.re)) : end, dtype);
}

}  // namespace

namespace detail {

Array with_copies(const Array& x, const Padded& at, Margin margin) {
  const int axis = at.axis;
  const std::int64_t length = length_of(x, axis);
  return between(x, at, [&](std::int64_t count, bool is_before) {
    if (margin != Margin::edge && length > 1) {
      const std::int64_t first = is_before ? -count : length;
      return detail::elements_at("pad", x, sources(x, first, count, length, margin), axis);
    }
    const std::int64_t edge = is_before ? 0 : length - 1;
    return broadcast_to(part_of(x, axis, edge, edge + 1), with_length(x, axis, count));
  });
}

Array with_constants(const Array& x, const std::vector<Padded>& axes, const Shape& whole,
                     const std::vector<PadConstant>& constants) {
  Dims first(static_cast<std::size_t>(x.ndim()), 0);
  for (const Padded& at : axes) first[static_cast<std::size_t>(at.axis)] = at.before;
  std::vector<Piece> pieces{{x, first}};
  Shape shape = x.shape();  // with the margins of earlier axes, whose corners later ones have
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i].axis);
    const auto add = [&](std::int64_t from, std::int64_t count, const Value& constant) {
      if (count == 0) return;
      shape[axis] = count;
      first[axis] = from;
      pieces.push_back({full(shape, constant, x.dtype(), x.device(), "pad"), first});
    };
    add(0, axes[i].before, constants[i].before);
    add(whole[axis] - axes[i].after, axes[i].after, constants[i].after);
    shape[axis] = whole[axis];
    first[axis] = 0;
  }
  return made_of("pad", pieces, whole, x.dtype());
}

/// New memory with the array in it, and undefined elements before and behind.
Array amid_nothing(const Array& x, const std::vector<Padded>& axes, const Shape& whole) {
  const Array made = empty(whole, x.dtype(), x.device());
  Array inside = made;
  for (const Padded& at : axes)
    inside = part_of(inside, at.axis, at.before, at.before + length_of(x, at.axis));
  inside[ellipsis] = x;
  return made;
}

/// Twice the elements at the edge less those mirrored there. A margin that is wider than the axis
/// is mirrored from what the last mirroring made, as whole periods: in one memory, of which it is
/// known at once that there is enough.
Array with_odd_mirrors(const Array& x, const Padded& at, Margin margin) {
  const int axis = at.axis;
  const std::int64_t length = length_of(x, axis), whole = at.before + length + at.after;
  const Array made = amid_nothing(x, {at}, with_length(x, axis, whole));
  const std::int64_t least = margin == Margin::reflect ? 1 : 0, period = length - least;
  // where count elements from `to` on are those from `from` on mirrored at this edge
  const auto mirror = [&](std::int64_t to, std::int64_t from, std::int64_t count,
                          std::int64_t edge) {
    const Array end = part_of(made, axis, edge, edge + 1);
    const Array mirrored = flip(part_of(made, axis, from, from + count), axis);
    // of bools the difference is 0 only where both are
    part_of(made, axis, to, to + count)[ellipsis] =
        made.dtype().family == Family::boolean ? end | mirrored : 2 * end - mirrored;
  };
  std::int64_t begin = at.before, end = at.before + length;
  while (begin > 0 || end < whole) {
    const std::int64_t most = (end - begin - least) / period * period;
    const std::int64_t before = std::min(most, begin), after = std::min(most, whole - end);
    if (before > 0) mirror(begin - before, begin + least, before, begin);
    if (after > 0) mirror(end, end - least - after, after, end - 1);
    begin -= before, end += after;
  }
  return made;
}

Array with_statistics(const Array& x, const Padded& at, Margin margin, const PadWidth& wanted) {
  const int axis = at.axis;
  const std::int64_t length = length_of(x, axis);
  const std::int64_t first = std::min(length, wanted.before.value);
  const std::int64_t last = std::min(length, wanted.after.value);
  std::optional<Array> of_all;
  if (first == length && last == length) of_all = statistic_of(x, axis, 0, length, margin);
  return between(x, at, [&](std::int64_t count, bool is_before) {
    const Array made = of_all      ? *of_all
                       : is_before ? statistic_of(x, axis, 0, first, margin)
                                   : statistic_of(x, axis, length - last, length, margin);
    return broadcast_to(made, with_length(x, axis, count));
  });
}

/// NumPy's linspace() from the number to the edge, which is not reached.
Array with_ramps(const Array& x, const Padded& at, const PadConstant& ends) {
  const int axis = at.axis;
  const DType dtype = x.dtype();
  const bool is_complex = dtype.family == Family::complex;
  const DType wide = had_by(x.device(), is_complex ? TypeId::complex128 : TypeId::float64);
  return between(x, at, [&](std::int64_t count, bool is_before) {
    const Value& end = is_before ? ends.before : ends.after;
    if (is_integer(dtype)) check_end(end, dtype);
    const std::int64_t edge = is_before ? 0 : length_of(x, axis) - 1;
    const Array begin = full({}, end, wide, x.device(), "pad: end_values");
    const Array way = astype(part_of(x, axis, edge, edge + 1), wide, false) - begin;
    const Array index = index_along(with_length(x, axis, count), axis, x.device());
    const Array place = astype(is_before ? index : count - 1 - index, wide, false);
    const auto steps = static_cast<double>(count);
    // NumPy's complex numbers are divided by a real one as products with its reciprocal
    const auto part_of_all = [&](const Array& all) {
      return is_complex ? all * (1 / steps) : all / steps;
    };
    const Array step = part_of_all(way);
    // where any step is 0, perhaps since it is too small for the dtype, NumPy divides first
    Array ramp = where(any(step == 0), part_of_all(place) * way, place * step) + begin;
    if (is_integer(dtype)) ramp = floor(ramp);
    return astype(ramp, dtype, false);
  });
}

}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
