// index.cpp: slices, as Python means them.
#include "isthmus/array/index/index.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

struct Range {
  std::int64_t start, count, step;
};

/// What slice.indices() gives in Python.
Range resolve(const IndexItem& item, std::int64_t extent) {
  const std::int64_t step = item.step.value_or(1);
  check(step != 0, Errc::value, "index: a slice has a step of 0");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
  const auto clamp = [&](std::optional<std::int64_t> bound, std::int64_t absent) {
    if (!bound) return absent;
    const std::int64_t at = *bound < 0 ? std::max(*bound, -extent - 1) + extent : *bound;
    return std::clamp(at, low, high);
  };
  const std::int64_t start = clamp(item.start, step > 0 ? low : high);
  const std::int64_t stop = clamp(item.stop, step > 0 ? high : low);
  const std::int64_t distance = step > 0 ? stop - start : start - stop;
  if (distance <= 0) return {start, 0, step};
  const std::uint64_t size =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return {start, static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / size) + 1,
          step};
}

}  // namespace

[[gnu::hot]] Array index(const Array& x, std::span<const IndexItem> items) {
  using Kind = IndexItem::Kind;
  const Layout& from = x.layout();
  const int ndim = from.ndim();
  int axes = 0, ellipses = 0;
  for (const IndexItem& item : items) {
    axes += item.kind == Kind::integer || item.kind == Kind::slice;
    ellipses += item.kind == Kind::ellipsis;
  }
  check(ellipses <= 1, Errc::index, "index: {} ellipses; at most one is allowed", ellipses);
  check(axes <= ndim, Errc::index, "index: {} indices for an array of {}", axes,
        detail::AxisCount(ndim));

  // without elements there is no first one, and strides may lead anywhere
  const bool has_elements = from.count() > 0;
  const auto advance = [&](std::int64_t index, std::int64_t stride, std::int64_t& offset) {
    if (has_elements) offset += index * stride;
  };
  Layout to;
  to.offset = from.offset;
  int axis = 0;
  const auto keep = [&](int count) {
    for (; count > 0; --count, ++axis) {
      to.shape.push_back(from.shape[axis]);
      to.strides.push_back(from.strides[axis]);
    }
  };
  for (const IndexItem& item : items) {
    switch (item.kind) {
      case Kind::newaxis:
        to.shape.push_back(1);
        to.strides.push_back(0);
        break;
      case Kind::ellipsis: keep(ndim - axes); break;
      case Kind::integer: {
        const std::int64_t extent = from.shape[axis];
        check(item.integer >= -extent && item.integer < extent, Errc::index,
              "index: {} is out of bounds for axis {} of length {}", item.integer, axis, extent);
        advance(item.integer < 0 ? item.integer + extent : item.integer, from.strides[axis],
                to.offset);
        ++axis;
        break;
      }
      case Kind::slice: {
        const Range range = resolve(item, from.shape[axis]);
        to.shape.push_back(range.count);
        // of one element or none the step says nothing, and could overflow
        to.strides.push_back(range.count > 1 && has_elements ? from.strides[axis] * range.step
                                                             : from.strides[axis]);
        if (range.count > 0) advance(range.start, from.strides[axis], to.offset);
        ++axis;
        break;
      }
    }
  }
  keep(ndim - axis);
  check(to.shape.size() <= max_dimensions, Errc::value, "index: the result has {} axes; at most {}",
        to.shape.size(), max_dimensions);
  return seen_as(x, std::move(to));
}

Array Array::operator[](std::initializer_list<IndexItem> items) const {
  return index(*this, std::span(items.begin(), items.size()));
}
Array Array::operator[](const IndexItem& item) const { return index(*this, std::span(&item, 1)); }

}  // namespace isthmus::inline ISTHMUS_ABI
