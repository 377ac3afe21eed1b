// neighbours.cpp: margins by joining views of the array itself, and windows by strides.
#include "isthmus/array/neighbours.h"

#include "isthmus/array/create.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/array/part.h"
#include "isthmus/array/place.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

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

/// What follows on an edge, block by block outwards: the first, the second, the first again.
struct Blocks {
  Array even, odd;

  const Array& operator[](std::int64_t i) const { return i % 2 == 0 ? even : odd; }
};

void add_before(std::vector<Array>& parts, const Blocks& blocks, int axis, std::int64_t width) {
  const std::int64_t length = length_of(blocks.even, axis), whole = width / length;
  parts.push_back(part_of(blocks[whole], axis, length - width % length, length));
  for (std::int64_t i = whole - 1; i >= 0; --i) parts.push_back(blocks[i]);
}

void add_after(std::vector<Array>& parts, const Blocks& blocks, int axis, std::int64_t width) {
  const std::int64_t length = length_of(blocks.even, axis), whole = width / length;
  for (std::int64_t i = 0; i < whole; ++i) parts.push_back(blocks[i]);
  parts.push_back(part_of(blocks[whole], axis, 0, width % length));
}

/// One axis with margins of copies of elements.
Array with_copies(const Array& x, int axis, std::int64_t before, std::int64_t after,
                  Margin margin) {
  const std::int64_t length = length_of(x, axis);
  check(length > 0, Errc::value,
        "pad: axis {} has no elements to copy; the mode 'constant' needs none", axis);
  if (margin == Margin::edge || length == 1) {
    const auto edge = [&](std::int64_t at, std::int64_t width) {
      return broadcast_to(part_of(x, axis, at, at + 1), with_length(x, axis, width));
    };
    return concat({edge(0, before), x, edge(length - 1, after)}, axis);
  }
  const bool is_reflected = margin == Margin::reflect, is_wrapped = margin == Margin::wrap;
  const std::int64_t least = is_reflected ? 1 : 0;
  const Array first = part_of(x, axis, 0, length - least), last = part_of(x, axis, least, length);
  std::vector<Array> parts;
  add_before(parts, {is_wrapped ? x : flip(last, axis), first}, axis, before);
  parts.push_back(x);
  add_after(parts, {is_wrapped ? x : flip(first, axis), last}, axis, after);
  return concat(parts, axis);
}

}  // namespace

Array pad(const Array& x, const std::vector<PadWidth>& widths, std::string_view mode,
          const Value& constant) {
  const Margin margin = margin_of(mode);
  const bool is_one = widths.size() == 1;
  check(is_one || std::cmp_equal(widths.size(), x.ndim()), Errc::value,
        "pad: {} pairs of widths for {} axes; one for each, or one for all", widths.size(),
        x.ndim());
  const InContextOf meanwhile(x);
  Array made = x;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const PadWidth& width = widths[is_one ? 0 : static_cast<std::size_t>(axis)];
    const std::int64_t before = width.before, after = width.after, length = length_of(x, axis);
    check(before >= 0 && after >= 0, Errc::value,
          "pad: {} before and {} after axis {}; 0 or more can be", before, after, axis);
    std::int64_t whole = 0;
    check(sum_fits(before, after, whole) && sum_fits(whole, length, whole), Errc::value,
          "pad: axis {} is longer than 2^63-1", axis);
    if (before == 0 && after == 0) continue;
    if (margin != Margin::constant) {
      made = with_copies(made, axis, before, after, margin);
      continue;
    }
    const auto margin_of_length = [&](std::int64_t many) {
      return full(with_length(made, axis, many), constant, x.dtype(), x.device(), "pad");
    };
    made = concat({margin_of_length(before), made, margin_of_length(after)}, axis);
  }
  return made.storage() == x.storage() ? copy(x) : made;
}

Array sliding_window_view(const Array& x, const Shape& window_shape, const AxisSet& axes) {
  const auto chosen = axes.get();
  const std::size_t count = chosen ? chosen->size() : static_cast<std::size_t>(x.ndim());
  check(window_shape.size() == count, Errc::value,
        "sliding_window_view: a window of shape {} for {} axes; one length for each is needed",
        Dims(window_shape), count);
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
  return x.view(std::move(layout), true);
}

}  // namespace isthmus::inline ISTHMUS_ABI
