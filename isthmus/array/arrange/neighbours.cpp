// neighbours.cpp: margins by reading the array at calculated positions, and windows by strides.
#include "isthmus/array/arrange/neighbours.h"

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/place.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using detail::AxisCount;

enum class Margin { constant, edge, reflect, symmetric, wrap };

Margin margin_of(std::string_view mode) {
  if (mode == "constant") return Margin::constant;
  if (mode == "edge") return Margin::edge;
  if (mode == "reflect") return Margin::reflect;
  if (mode == "symmetric") return Margin::symmetric;
  if (mode == "wrap") return Margin::wrap;
  fail(Errc::value, "pad: mode: '{}' is none of constant, edge, reflect, symmetric, wrap", mode);
}

Shape with_length(const Array& x, int axis, std::int64_t length) {
  Shape shape = x.shape();
  shape[static_cast<std::size_t>(axis)] = length;
  return shape;
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

/// One axis with margins of copies of elements.
Array with_copies(const Array& x, int axis, std::int64_t before, std::int64_t after,
                  Margin margin) {
  const std::int64_t length = length_of(x, axis);
  const auto beside = [&](std::int64_t first, std::int64_t count) {
    if (margin != Margin::edge && length > 1)
      return detail::elements_at("pad", x, sources(x, first, count, length, margin), axis);
    const std::int64_t at = first < 0 ? 0 : length - 1;
    return broadcast_to(part_of(x, axis, at, at + 1), with_length(x, axis, count));
  };
  return concat({beside(-before, before), x, beside(length, after)}, axis);
}

/// The widths of each axis. Throws for what cannot be, also for a result that is too large.
std::vector<PadWidth> checked_widths(const Array& x, const std::vector<PadWidth>& widths,
                                     Margin margin) {
  const bool is_one = widths.size() == 1;
  check(is_one || std::cmp_equal(widths.size(), x.ndim()), Errc::value,
        "pad: {} pairs of widths for {}; one for each, or one for all", widths.size(),
        AxisCount(x.ndim()));
  std::vector<PadWidth> all;
  Shape whole;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const PadWidth& width = widths[is_one ? 0 : static_cast<std::size_t>(axis)];
    const std::int64_t before = width.before, after = width.after, length = length_of(x, axis);
    check(before >= 0 && after >= 0, Errc::value,
          "pad: {} before and {} after axis {}; both must be 0 or more", before, after, axis);
    check(margin == Margin::constant || length > 0 || (before == 0 && after == 0), Errc::value,
          "pad: axis {} has no elements to copy; the mode 'constant' needs none", axis);
    std::int64_t padded = 0;
    check(sum_fits(before, after, padded) && sum_fits(padded, length, padded), Errc::value,
          "pad: axis {} is longer than 2^63-1", axis);
    all.push_back(width);
    whole.push_back(padded);
  }
  checked_bytes("pad", whole, x.dtype().bytes(), Errc::value);
  return all;
}

}  // namespace

Array pad(const Array& x, const std::vector<PadWidth>& widths, std::string_view mode,
          const Value& constant) {
  return pad(x, widths, mode, std::vector<PadConstant>{{constant, constant}});
}

Array pad(const Array& x, const std::vector<PadWidth>& widths, std::string_view mode,
          const std::vector<PadConstant>& constants) {
  const Margin margin = margin_of(mode);
  check(constants.size() == 1 || std::cmp_equal(constants.size(), x.ndim()), Errc::value,
        "pad: {} pairs of constants for {}; one for each, or one for all", constants.size(),
        AxisCount(x.ndim()));
  const std::vector<PadWidth> all = checked_widths(x, widths, margin);
  const InContextOf meanwhile(x);
  Array made = x;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const PadWidth& width = all[static_cast<std::size_t>(axis)];
    const std::int64_t before = width.before, after = width.after;
    if (before == 0 && after == 0) continue;
    if (margin != Margin::constant) {
      made = with_copies(made, axis, before, after, margin);
      continue;
    }
    const PadConstant& constant =
        constants[constants.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
    const auto margin_of_length = [&](std::int64_t many, const Value& number) {
      return full(with_length(made, axis, many), number, x.dtype(), x.device(), "pad");
    };
    made = concat(
        {margin_of_length(before, constant.before), made, margin_of_length(after, constant.after)},
        axis);
  }
  return made.storage() == x.storage() ? copy(x) : made;
}

Array sliding_window_view(const Array& x, const Shape& window_shape, const AxisSet& axes) {
  const auto chosen = axes.get();
  const std::size_t count = chosen ? chosen->size() : static_cast<std::size_t>(x.ndim());
  check(window_shape.size() == count, Errc::value,
        "sliding_window_view: a window of shape {} for {}; one length for each is needed",
        Dims(window_shape), AxisCount(count));
  Layout layout = x.layout();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t axis = chosen ? (*chosen)[i] : static_cast<std::int64_t>(i);
    const auto at = static_cast<std::size_t>(checked_axis("sliding_window_view", axis, x.ndim()));
    const std::int64_t length = window_shape[i];
    check(length >= 0 && length <= layout.shape[at], Errc::value,
          "sliding_window_view: a window of length {} on axis {} of length {}", length, axis,
          layout.shape[at]);
    layout.shape[at] -= length - 1;
    layout.shape.push_back(length);
    layout.strides.push_back(layout.strides[at]);
  }
  check(layout.shape.size() <= max_dimensions, Errc::value,
        "sliding_window_view: {} axes; at most {}", layout.shape.size(), max_dimensions);
  return seen_as(x, std::move(layout), true);
}

}  // namespace isthmus::inline ISTHMUS_ABI
