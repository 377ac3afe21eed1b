// rearrange.cpp: rearranging by views, which joining and copying write out.
#include "isthmus/array/arrange/rearrange.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/arrange/pieces.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/sort/scan.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using detail::AxisCount;

/// From 0 to less than the axis is long.
std::int64_t places_of(std::int64_t shift, std::int64_t length) {
  const std::int64_t places = shift % length;
  return places < 0 ? places + length : places;
}

/// Moved by as many places along each axis, less than it is long, as the blocks that stay together:
/// two to an axis that is rolled. Of many axes some are rolled first.
Array rolled(const Array& x, const Dims& places) {
  constexpr std::size_t most = 16;
  std::vector<detail::Piece> pieces{{x, Dims(places.size(), 0)}};
  Dims later(places.size(), 0);
  for (std::size_t axis = 0; axis < places.size(); ++axis) {
    if (places[axis] == 0) continue;
    const std::size_t count = pieces.size();
    if (count == most) {
      later[axis] = places[axis];
      continue;
    }
    const std::int64_t length = x.shape()[axis], end = length - places[axis];
    for (std::size_t i = 0; i < count; ++i) {
      const Array whole = pieces[i].array;
      pieces.push_back({part_of(whole, static_cast<int>(axis), end, length), pieces[i].first});
      pieces[i].array = part_of(whole, static_cast<int>(axis), 0, end);
      pieces[i].first[axis] = places[axis];
    }
  }
  if (pieces.size() == 1) return copy(x);
  const Array made = detail::made_of("roll", pieces, Shape(x.shape()), x.dtype());
  return std::ranges::all_of(later, [](auto left) { return left == 0; }) ? made
                                                                         : rolled(made, later);
}

Array in_row(const Array& x, std::optional<std::int64_t> axis) {
  return axis ? x : reshape(x, Shape{x.size()});
}

Array with_axes(const Array& x, int least) {
  Shape shape(Dims(static_cast<std::size_t>(std::max(least - x.ndim(), 0)), 1));
  for (const std::int64_t length : x.shape()) shape.push_back(length);
  return reshape(x, shape);
}

Array stacked(std::string_view who, std::span<const Array> arrays, int least, int axis) {
  std::vector<Array> parts;
  for (const Array& x : arrays) parts.push_back(with_axes(x, least));
  const bool is_row = !parts.empty() && parts[0].ndim() == 1;
  return detail::concat_for(who, parts, is_row ? 0 : axis);
}

/// Whether the column of an element less its row is at most k.
Array is_below(const char* who, const Array& x, std::int64_t k) {
  check(x.ndim() >= 2, Errc::value, "{}: an array of {}; at least 2 are needed", who,
        AxisCount(x.ndim()));
  const InContextOf meanwhile(x);
  const std::int64_t rows = length_of(x, x.ndim() - 2), columns = length_of(x, x.ndim() - 1);
  const Shape shape{rows, columns};
  const std::int64_t clamped = std::clamp(k, -rows - 1, columns + 1);
  return index_along(shape, 1, x.device()) <= index_along(shape, 0, x.device()) + clamped;
}

Value zero_of(const Array& x) {
  return x.dtype().family == Family::boolean ? Value(false) : Value(0);
}

/// Throws value if so many elements are too many for an axis.
void check_sum(const Array& counts, int axis) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts.to_vector<std::int64_t>())
    check(sum_fits(sum, count, sum), Errc::value, "repeat: axis {} is longer than 2^63-1", axis);
}

/// On the host, the place of the element that each of `total` ones repeats: an element goes up to
/// its end.
Array places_up_to(const Array& ends, std::int64_t total) {
  constexpr std::int64_t grain = 1 << 14;
  const auto* const end =
      reinterpret_cast<const std::int64_t*>(ends.storage()->memory()->host) + ends.layout().offset;
  const Array made = empty({total}, TypeId::int64, ends.device());
  auto* const places = reinterpret_cast<std::int64_t*>(made.storage()->memory()->host);
  const auto work = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first, at = i > 0 ? end[i - 1] : 0; i < last; ++i)
      for (; at < end[i]; ++at) places[at] = i;
  };
  parallel_for(ends.size(), grain, work);
  return made;
}

}  // namespace

Array roll(const Array& x, AnyInteger shift) {
  if (x.size() == 0) return copy(x);
  const Array row = reshape(x, Shape{x.size()});
  return reshape(rolled(row, {places_of(shift, x.size())}), Shape(x.shape()));
}

Array roll(const Array& x, const Axes& shifts, const Axes& axes) {
  check(shifts.size() == axes.size() || shifts.size() == 1, Errc::value, "roll: {} shifts for {}",
        shifts.size(), AxisCount(axes.size()));
  Dims places(static_cast<std::size_t>(x.ndim()), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const int axis = checked_axis("roll", axes[i], x.ndim());
    const std::int64_t length = length_of(x, axis), shift = shifts[shifts.size() == 1 ? 0 : i];
    if (length == 0) continue;
    std::int64_t& place = places[static_cast<std::size_t>(axis)];
    const std::int64_t more = places_of(shift, length);
    place -= place < length - more ? -more : length - more;
  }
  return x.size() > 0 ? rolled(x, places) : copy(x);
}

Array repeat(const Array& of, AnyInteger repeats, OptionalInteger axis) {
  check(repeats >= 0, Errc::value, "repeat: repeats is {}; it must be 0 or more", repeats);
  const Array x = in_row(of, axis);
  const int along = checked_axis("repeat", axis.value_or(0), x.ndim());
  Shape shape = x.shape(), wide;
  for (int i = 0; i < x.ndim(); ++i) {
    wide.push_back(length_of(x, i));
    if (i == along) wide.push_back(repeats);
  }
  std::int64_t& length = shape[static_cast<std::size_t>(along)];
  check(product_fits(length, repeats.value, length), Errc::value,
        "repeat: axis {} is longer than 2^63-1", along);
  checked_bytes("repeat", shape, x.dtype().bytes(), Errc::value);
  return reshape(broadcast_to(expand_dims(x, Axes{along + 1}), wide), shape, true);
}

Array repeat(const Array& of, const Array& repeats, OptionalInteger axis) {
  const Family family = repeats.dtype().family;
  check(family == Family::boolean || family == Family::integer || family == Family::natural,
        Errc::type, "repeat: repeats are {}; integers are needed", repeats.dtype());
  check(repeats.ndim() <= 1, Errc::value, "repeat: repeats of {}; at most one is needed",
        AxisCount(repeats.ndim()));
  check(repeats.device() == of.device(), Errc::device_mismatch,
        "repeat: the array is on {}, repeats on {}; move one with to_device", of.device(),
        repeats.device());
  const Array x = in_row(of, axis);
  const int along = checked_axis("repeat", axis.value_or(0), x.ndim());
  const InContextOf meanwhile(x);
  const Array counts = astype(reshape(repeats, {-1}), TypeId::int64, false).eval();
  if (counts.size() == 1) return repeat(x, counts[0].item<std::int64_t>(), along);
  check(counts.size() == length_of(x, along), Errc::value,
        "repeat: {} repeats for an axis of length {}", counts.size(), length_of(x, along));
  if (counts.size() == 0) return copy(x);
  const auto least = min(counts).item<std::int64_t>(), most = max(counts).item<std::int64_t>();
  check(least >= 0, Errc::value, "repeat: repeats is {}; it must be 0 or more", least);
  std::int64_t bound = 0;
  if (!product_fits(most, counts.size(), bound)) check_sum(counts, along);
  const Array ends = cumulative_sum(counts).eval();
  Shape shape = x.shape();
  const auto total = ends[-1].item<std::int64_t>();
  shape[static_cast<std::size_t>(along)] = total;
  checked_bytes("repeat", shape, x.dtype().bytes(), Errc::value);
  if (x.device().is_host())
    return detail::elements_at("repeat", x, places_up_to(ends, total), along);
  // as many elements are through as there are ends at or before a place
  const Array place = index_along(Shape{total}, 0, x.device());
  return detail::elements_at("repeat", x, detail::search("repeat", ends, place, true), along);
}

Array repeat(const Array& of, const Axes& repeats, OptionalInteger axis) {
  const InContextOf meanwhile(of);
  const Array counts(std::vector<std::int64_t>(repeats.begin(), repeats.end()));
  return repeat(of, to_device(counts, of.device()), axis);
}

Array Array::repeat(AnyInteger repeats, OptionalInteger axis) const {
  return isthmus::repeat(*this, repeats, axis);
}

Array Array::repeat(const Array& repeats, OptionalInteger axis) const {
  return isthmus::repeat(*this, repeats, axis);
}

Array tile(const Array& of, const Axes& repetitions) {
  const Array x = with_axes(of, static_cast<int>(repetitions.size()));
  const std::size_t missing = static_cast<std::size_t>(x.ndim()) - repetitions.size();
  Shape apart, wide, whole;  // an axis of length 1 before each that is repeated
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.ndim()); ++i) {
    const std::int64_t times = i < missing ? 1 : repetitions[i - missing];
    check(times >= 0, Errc::value, "tile: repetitions: {}; each must be 0 or more", times);
    std::int64_t length = x.shape()[i];
    if (times != 1) apart.push_back(1), wide.push_back(times);
    apart.push_back(length), wide.push_back(length);
    check(product_fits(length, times, length), Errc::value, "tile: axis {} is longer than 2^63-1",
          i);
    whole.push_back(length);
  }
  check(wide.size() <= max_dimensions, Errc::value,
        "tile: {} axes, counting repeated ones twice; at most {}", wide.size(), max_dimensions);
  return reshape(broadcast_to(reshape(x, apart), wide), whole, true);
}

std::vector<Array> split(const Array& x, AnyInteger sections, AnyInteger axis) {
  const int along = checked_axis("split", axis, x.ndim());
  const std::int64_t length = length_of(x, along);
  check(sections > 0 && length % sections == 0, Errc::value,
        "split: an axis of length {} cannot be split into {} equal parts", length, sections);
  std::vector<Array> parts;
  for (std::int64_t i = 0; i < sections; ++i)
    parts.push_back(part_of(x, along, length / sections * i, length / sections * (i + 1)));
  return parts;
}

std::vector<Array> split(const Array& x, const Axes& indices, AnyInteger axis) {
  const int along = checked_axis("split", axis, x.ndim());
  const std::int64_t length = length_of(x, along);
  std::vector<Array> parts;
  std::int64_t begin = 0;
  const auto add = [&](std::int64_t end) {
    parts.push_back(part_of(x, along, begin, end));
    begin = end;
  };
  for (const std::int64_t index : indices)
    add(std::clamp<std::int64_t>(index < 0 ? index + length : index, 0, length));
  add(length);
  return parts;
}

Array hstack(std::span<const Array> arrays) { return stacked("hstack", arrays, 1, 1); }
Array vstack(std::span<const Array> arrays) { return stacked("vstack", arrays, 2, 0); }

std::vector<Array> meshgrid(std::span<const Array> arrays, std::string_view indexing) {
  check(indexing == "xy" || indexing == "ij", Errc::value,
        "meshgrid: indexing: '{}' is none of xy, ij", indexing);
  const std::size_t count = arrays.size();
  const auto axis_of = [&](std::size_t i) {
    return indexing == "xy" && count > 1 && i < 2 ? 1 - i : i;
  };
  Shape whole(Dims(count, 1));
  for (std::size_t i = 0; i < count; ++i) {
    check(arrays[i].ndim() <= 1, Errc::value, "meshgrid: an array of {}; one is needed",
          AxisCount(arrays[i].ndim()));
    whole[axis_of(i)] = arrays[i].size();
  }
  std::vector<Array> views;
  for (std::size_t i = 0; i < count; ++i) {
    checked_bytes("meshgrid", whole, arrays[i].dtype().bytes(), Errc::value);
    Shape own(Dims(count, 1));
    own[axis_of(i)] = arrays[i].size();
    views.push_back(broadcast_to(reshape(arrays[i], own), whole));
  }
  return views;
}

Array tril(const Array& x, AnyInteger k) {
  check_has_numbers("tril", x);
  if (x.size() == 0 && x.ndim() > 1) return copy(x);  // a mask of its last axes may be large
  return where(is_below("tril", x, k), x, zero_of(x));
}

Array triu(const Array& x, AnyInteger k) {
  check_has_numbers("triu", x);
  if (x.size() == 0 && x.ndim() > 1) return copy(x);
  const std::int64_t before = k == INT64_MIN ? k.value : k - 1;
  return where(is_below("triu", x, before), zero_of(x), x);
}

/// What diff() joins to an axis of x.
static Array end_of(const char* role, const Array& x, int along, const Value& value) {
  if (value.array && value.array->ndim() > 0) {
    check(value.array->ndim() == x.ndim(), Errc::value,
          "diff: {}: an array of {} for one of {}; pass a number, or an array of as many axes",
          role, AxisCount(value.array->ndim()), AxisCount(x.ndim()));
    return *value.array;
  }
  Shape shape = x.shape();
  shape[static_cast<std::size_t>(along)] = 1;
  if (value.array) return broadcast_to(*value.array, shape);
  const Value both[] = {x, value.lent()};
  return full(shape, value.lent(), result_type("diff", both), x.device(), "diff");
}

Array diff(const Array& of, AnyInteger n, AnyInteger axis, const std::optional<Value>& prepend,
           const std::optional<Value>& append) {
  const InContextOf meanwhile(of);
  check(n >= 0, Errc::value, "diff: n is {}; it must be 0 or more", n);
  check_has_numbers("diff", of);
  const int along = checked_axis("diff", axis, of.ndim());
  std::vector<Array> parts;
  if (prepend) parts.push_back(end_of("prepend", of, along, *prepend));
  parts.push_back(of);
  if (append) parts.push_back(end_of("append", of, along, *append));
  Array x = parts.size() == 1 || n == 0 ? of : detail::concat_for("diff", parts, along);
  const bool is_of_bools = x.dtype().family == Family::boolean;
  for (std::int64_t left = n; left > 0; --left) {
    const std::int64_t length = length_of(x, along);
    const Array later = part_of(x, along, std::min<std::int64_t>(length, 1), length);
    const Array before = part_of(x, along, 0, length - 1);
    x = is_of_bools ? not_equal(later, before) : subtract(later, before);
    if (length_of(x, along) == 0) break;  // and stays empty
  }
  return x;
}

}  // namespace isthmus::inline ISTHMUS_ABI
