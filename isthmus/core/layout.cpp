// layout.cpp: the arithmetic of shapes and strides.
#include "isthmus/core/layout.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "isthmus/base/error.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

std::int64_t detail::checked_count(std::string_view who, std::span<const std::int64_t> shape) {
  check(shape.size() <= max_dimensions, Errc::value, "{}: {} axes; at most {} are supported", who,
        shape.size(), max_dimensions);
  std::int64_t count = 1;
  bool is_empty = false, fits = true;
  for (std::int64_t extent : shape) {
    check(extent >= 0, Errc::value, "{}: shape {} has a negative extent", who, shape);
    is_empty = is_empty || extent == 0;
    fits = fits && product_fits(count, extent, count);
  }
  if (is_empty) return 0;  // whatever the other extents are
  check(fits, Errc::value, "{}: shape {} has more than 2^63-1 elements", who, shape);
  return count;
}

std::int64_t detail::checked_bytes(std::string_view who, std::span<const std::int64_t> shape,
                                   std::int64_t item_bytes, Errc too_many) {
  const std::int64_t count = checked_count(who, shape);
  std::int64_t bytes;
  check(product_fits(count, item_bytes, bytes), too_many,
        "{}: {} elements of {} bytes are more than 2^63-1 bytes", who, count, item_bytes);
  return bytes;
}

/// The stride outside an axis. In an array of size 0 it may not fit, and then says nothing.
static std::int64_t stepped(std::int64_t stride, std::int64_t extent) {
  std::int64_t next;
  return product_fits(stride, std::max<std::int64_t>(extent, 1), next) ? next : 1;
}

[[gnu::hot]] Layout row_major(std::span<const std::int64_t> shape) {
  Layout layout;
  layout.shape.assign(shape.begin(), shape.end());
  layout.strides = layout.shape;
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    layout.strides[i] = stride;
    stride = stepped(stride, shape[i]);
  }
  return layout;
}

Layout column_major(std::span<const std::int64_t> shape) {
  Layout layout{Dims(shape), Dims(shape.size()), 0};
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    layout.strides[i] = stride;
    stride = stepped(stride, shape[i]);
  }
  return layout;
}

Layout dense_like(std::span<const std::int64_t> shape, std::span<const Layout* const> like) {
  bool plain = true;
  for (const Layout* l : like) plain = plain && is_row_major(*l);
  if (plain || shape.size() < 2) return row_major(shape);

  const int n = static_cast<int>(shape.size());
  const auto stride_of = [&](const Layout& l, int axis) -> std::int64_t {
    const int own = axis - (n - l.ndim());
    return own < 0 || l.shape[own] == 1 ? 0 : std::abs(l.strides[own]);
  };
  // NumPy's: an axis goes inwards past another one only if some operand says so and none says the
  // contrary; past one that no operand compares it with, it is compared with the next.
  const auto belongs_inside = [&](int axis, int other) -> std::optional<bool> {
    std::optional<bool> answer;
    for (const Layout* l : like) {
      const std::int64_t own = stride_of(*l, axis), its = stride_of(*l, other);
      if (own != 0 && its != 0) answer = own < its && answer.value_or(true);
    }
    return answer;
  };
  SmallVector<int, 8> order(shape.size());  // innermost first
  for (int i = 0; i < n; ++i) order[i] = n - 1 - i;
  for (int i = 1; i < n; ++i) {
    int place = i;
    for (int j = i; j-- > 0;) {
      const std::optional<bool> is_inside = belongs_inside(order[i], order[j]);
      if (is_inside && !*is_inside) break;
      if (is_inside) place = j;
    }
    std::rotate(order.begin() + place, order.begin() + i, order.begin() + i + 1);
  }
  Layout layout{Dims(shape), Dims(shape.size()), 0};
  std::int64_t stride = 1;
  for (const int axis : order) {
    layout.strides[axis] = stride;
    stride = stepped(stride, shape[axis]);
  }
  return layout;
}

Layout dense_copy_of(const Layout& layout) {
  const std::span<const std::int64_t> shape(layout.shape.begin(), layout.shape.end());
  if (is_row_major(layout)) return row_major(shape);
  if (is_column_major(layout)) return column_major(shape);
  SmallVector<int, 8> order(layout.shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(layout.strides[a]) > std::abs(layout.strides[b]);
  });
  Layout dense{Dims(shape), Dims(shape.size()), 0};
  std::int64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    dense.strides[order[i]] = stride;
    stride = stepped(stride, shape[order[i]]);
  }
  return dense;
}

[[gnu::hot]] bool is_row_major(const Layout& layout) {
  std::int64_t stride = 1;
  bool plain = true;
  for (std::size_t i = layout.shape.size(); i-- > 0;) {
    if (layout.shape[i] == 0) return true;
    if (layout.shape[i] != 1 && layout.strides[i] != stride) plain = false;
    stride = stepped(stride, layout.shape[i]);
  }
  return plain;
}

bool is_column_major(const Layout& layout) {
  std::int64_t stride = 1;
  bool plain = true;
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    if (layout.shape[i] == 0) return true;
    if (layout.shape[i] != 1 && layout.strides[i] != stride) plain = false;
    stride = stepped(stride, layout.shape[i]);
  }
  return plain;
}

bool may_overlap_itself(const Layout& layout) {
  // Sorted by stride, each axis must step over all that the smaller ones reach. That is enough
  // but not necessary; a layout refused here for no reason costs a copy, never a wrong answer.
  SmallVector<int, 8> axes;
  for (int i = 0; i < layout.ndim(); ++i) {
    if (layout.shape[i] == 0) return false;
    if (layout.shape[i] > 1) axes.push_back(i);
  }
  const auto step = [&](int axis) { return std::abs(layout.strides[axis]); };
  std::sort(axes.begin(), axes.end(), [&](int a, int b) { return step(a) < step(b); });
  std::int64_t reach = 0;
  for (int axis : axes) {
    if (step(axis) <= reach) return true;
    reach += (layout.shape[axis] - 1) * step(axis);
  }
  return false;
}

Extent extent_of(const Layout& layout) {
  std::int64_t low = layout.offset, high = layout.offset;
  if (layout.count() == 0) return {layout.offset, layout.offset};
  for (int i = 0; i < layout.ndim(); ++i) {
    std::int64_t reach;
    std::int64_t& end = layout.strides[i] < 0 ? low : high;
    check(product_fits(layout.shape[i] - 1, layout.strides[i], reach) && sum_fits(end, reach, end),
          Errc::value, "strides {} of shape {} reach past 2^63-1 elements", layout.strides,
          layout.shape);
  }
  check(sum_fits(high, 1, high), Errc::value, "offset {} is past 2^63-1 elements", layout.offset);
  return {low, high};
}

Dims broadcast_shapes(std::string_view who, std::span<const std::span<const std::int64_t>> shapes) {
  Dims result;
  for (const auto& shape : shapes) {
    if (shape.size() > result.size()) {
      Dims longer(shape.size(), 1);
      std::copy(result.begin(), result.end(), longer.end() - result.size());
      result = std::move(longer);
    }
    for (std::size_t i = 1; i <= shape.size(); ++i) {
      std::int64_t& extent = result[result.size() - i];
      const std::int64_t other = shape[shape.size() - i];
      if (extent == 1) extent = other;
      if (other == 1 || other == extent) continue;
      std::string all;
      for (const auto& each : shapes) {
        if (!all.empty()) all += " and ";
        detail::append(all, each);
      }
      fail(Errc::value, "{}: shapes {} cannot be broadcast together: axis -{} has {} and {}", who,
           all, i, extent, other);
    }
  }
  return result;
}

Layout broadcast(std::string_view who, const Layout& layout, std::span<const std::int64_t> shape) {
  if (std::equal(shape.begin(), shape.end(), layout.shape.begin(), layout.shape.end()))
    return layout;
  const std::size_t added = shape.size() - layout.shape.size();
  check(shape.size() >= layout.shape.size(), Errc::value, "{}: shape {} cannot be broadcast to {}",
        who, layout.shape, shape);
  Layout result{Dims(shape), Dims(shape.size(), 0), layout.offset};
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    if (layout.shape[i] == shape[added + i]) {
      result.strides[added + i] = layout.strides[i];
    } else {
      check(layout.shape[i] == 1, Errc::value, "{}: shape {} cannot be broadcast to {}", who,
            layout.shape, shape);
    }
  }
  return result;
}

Layout permute(const Layout& layout, std::span<const int> axes) {
  Layout result{Dims(axes.size()), Dims(axes.size()), layout.offset};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    result.shape[i] = layout.shape[axes[i]];
    result.strides[i] = layout.strides[axes[i]];
  }
  return result;
}

bool try_reshape(const Layout& layout, std::span<const std::int64_t> shape, Layout& result) {
  if (is_row_major(layout)) {
    result = row_major(shape);
    result.offset = layout.offset;
    return true;
  }
  // Groups of axes with equal products: the old axes of a group must step as one axis would.
  result = Layout{Dims(shape), Dims(shape.size()), layout.offset};
  Dims extents, strides;
  for (int i = 0; i < layout.ndim(); ++i)
    if (layout.shape[i] != 1)
      extents.push_back(layout.shape[i]), strides.push_back(layout.strides[i]);
  std::size_t old_begin = 0, new_begin = 0;
  while (old_begin < extents.size() && new_begin < shape.size()) {
    std::size_t old_end = old_begin + 1, new_end = new_begin + 1;
    std::int64_t old_count = extents[old_begin], new_count = shape[new_begin];
    while (old_count != new_count) {
      if (new_count < old_count) {
        if (new_end == shape.size()) return false;
        new_count *= shape[new_end++];
      } else {
        if (old_end == extents.size()) return false;
        old_count *= extents[old_end++];
      }
    }
    for (std::size_t i = old_begin; i + 1 < old_end; ++i)
      if (strides[i] != extents[i + 1] * strides[i + 1]) return false;
    std::int64_t stride = strides[old_end - 1];
    for (std::size_t i = new_end; i-- > new_begin;) {
      result.strides[i] = stride;
      stride *= shape[i];
    }
    old_begin = old_end, new_begin = new_end;
  }
  for (; new_begin < shape.size(); ++new_begin) result.strides[new_begin] = 1;  // length 1
  return true;
}

int detail::checked_axis(std::string_view who, std::int64_t axis, int ndim) {
  check(axis >= -ndim && axis < ndim, Errc::index,
        "{}: axis {} is out of bounds for an array of {}", who, axis, AxisCount(ndim));
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

}  // namespace isthmus::inline ISTHMUS_ABI
