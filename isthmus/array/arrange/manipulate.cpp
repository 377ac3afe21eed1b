// manipulate.cpp: the arithmetic of views.
#include "isthmus/array/arrange/manipulate.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/axes.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/place.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

Dims resolved_shape(std::int64_t size, const Shape& shape) {
  check(shape.size() <= max_dimensions, Errc::value, "reshape: {} axes; at most {} are supported",
        shape.size(), max_dimensions);
  Dims result(shape);
  int unknown = -1;
  std::int64_t known = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      check(unknown < 0, Errc::value, "reshape: shape {} has more than one -1", shape);
      unknown = static_cast<int>(i);
    } else {
      check(shape[i] >= 0, Errc::value, "reshape: shape {} has a negative extent", shape);
      known = product_at_most(known, shape[i]);
    }
  }
  if (unknown >= 0) {
    check(known > 0 && size % known == 0, Errc::value, "reshape: {} elements do not fill shape {}",
          size, shape);
    result[static_cast<std::size_t>(unknown)] = size / known;
    known = size;
  }
  check(known == size, Errc::value, "reshape: {} elements do not fill shape {}", size, shape);
  return result;
}

}  // namespace

Array reshape(const Array& x, const Shape& shape, std::optional<Flag> copy) {
  const Layout& from = x.layout();
  const Dims to = resolved_shape(from.count(), shape);
  const std::span<const std::int64_t> target(to.begin(), to.end());
  Layout layout;
  if (copy.value_or(false)) return seen_as(isthmus::copy(contiguous(x)), row_major(target));
  if (try_reshape(from, target, layout)) return seen_as(x, std::move(layout));
  check(!copy, Errc::copy_refused,
        "reshape: with strides {}, shape {} cannot be viewed as shape {} without a copy",
        from.strides, from.shape, to);
  return seen_as(contiguous(x), row_major(target));
}

Array permute_dims(const Array& x, const Axes& axes) {
  check(axes.size() == x.shape().size(), Errc::value, "permute_dims: {} for an array of {}",
        detail::AxisCount(axes.size()), detail::AxisCount(x.ndim()));
  marked("permute_dims", axes, x.ndim());
  SmallVector<int, 8> order;
  for (std::int64_t axis : axes) order.push_back(checked_axis("permute_dims", axis, x.ndim()));
  return seen_as(x, permute(x.layout(), {order.begin(), order.end()}));
}

Array transpose(const Array& x) {
  Axes axes;
  for (int i = x.ndim(); i-- > 0;) axes.push_back(i);
  return permute_dims(x, axes);
}

Array swapaxes(const Array& x, AnyInteger first, AnyInteger second) {
  Axes axes;
  for (int i = 0; i < x.ndim(); ++i) axes.push_back(i);
  std::swap(axes[static_cast<std::size_t>(checked_axis("swapaxes", first, x.ndim()))],
            axes[static_cast<std::size_t>(checked_axis("swapaxes", second, x.ndim()))]);
  return permute_dims(x, axes);
}

/// `who` begins the texts of errors.
static Array moved(std::string_view who, const Array& x, const Axes& source,
                   const Axes& destination) {
  const int ndim = x.ndim();
  check(source.size() == destination.size(), Errc::value, "{}: {} to {} places", who,
        detail::AxisCount(source.size()), destination.size());
  const auto is_moved = marked(who, source, ndim), is_taken = marked(who, destination, ndim);
  Dims order(static_cast<std::size_t>(ndim), -1);
  for (std::size_t i = 0; i < source.size(); ++i)
    order[static_cast<std::size_t>(checked_axis(who, destination[i], ndim))] =
        checked_axis(who, source[i], ndim);
  std::size_t stays = 0;
  for (std::size_t place = 0; place < is_taken.size(); ++place) {
    if (is_taken[place]) continue;
    while (is_moved[stays]) ++stays;
    order[place] = static_cast<std::int64_t>(stays++);
  }
  return permute_dims(x, order);
}

Array moveaxis(const Array& x, const Axes& source, const Axes& destination) {
  return moved("moveaxis", x, source, destination);
}

Array matrix_transpose(const Array& x) {
  check(x.ndim() >= 2, Errc::value, "matrix_transpose: an array of {}; at least 2 are needed",
        detail::AxisCount(x.ndim()));
  return swapaxes(x, -2, -1);
}

std::vector<Array> unstack(const Array& x, AnyInteger axis) {
  check(x.ndim() > 0, Errc::value,
        "unstack: an array without axes cannot be unstacked; use reshape(x, (1,))");
  const Array front = moved("unstack", x, {axis}, {0});
  std::vector<Array> parts;
  for (std::int64_t i = 0; i < front.shape()[0]; ++i) parts.push_back(front[{i, ellipsis}]);
  return parts;
}

Shape broadcast_shapes(std::span<const Shape> shapes) {
  std::vector<std::span<const std::int64_t>> spans;
  for (const Shape& shape : shapes)
    for (const std::int64_t extent : shape)
      check(extent >= 0, Errc::value, "broadcast_shapes: shape {} has a negative extent", shape);
  for (const Shape& shape : shapes) spans.emplace_back(shape.begin(), shape.size());
  return broadcast_shapes("broadcast_shapes", spans);
}

std::vector<Array> broadcast_arrays(std::span<const Array> arrays) {
  std::vector<std::span<const std::int64_t>> spans;
  for (const Array& x : arrays) spans.emplace_back(x.shape().begin(), x.shape().size());
  const Shape shape = broadcast_shapes("broadcast_arrays", spans);
  std::vector<Array> views;
  for (const Array& x : arrays) views.push_back(x.shape() == shape ? x : broadcast_to(x, shape));
  return views;
}

Array ravel(const Array& x) {
  // strides would often allow more: NumPy's is a copy where elements do not follow each other
  if (is_row_major(x.layout())) return reshape(x, Shape{x.size()});
  return flatten(x);
}

Array flatten(const Array& x) { return reshape(x, Shape{x.size()}, true); }

/// Every other number of complex ones, from the `part`th on.
static Array part_of(const Array& x, int part) {
  x.eval();
  Layout layout = x.layout();
  for (std::int64_t& stride : layout.strides)
    if (!product_fits(stride, 2, stride)) stride = 1;  // only of no elements
  layout.offset = 2 * layout.offset + part;
  return from_view(
      {x.storage()->memory(), real_part(x.dtype()), std::move(layout), x.is_read_only()});
}

Array real_view(const Array& x) { return x.dtype().family == Family::complex ? part_of(x, 0) : x; }

Array imag_view(const Array& x) {
  if (x.dtype().family == Family::complex) return part_of(x, 1);
  check(x.dtype().is_builtin(), Errc::type, "imag: a {} has no imaginary part", x.dtype());
  const InContextOf meanwhile(x);
  return broadcast_to(full({}, 0, x.dtype(), x.device()), x.shape());
}

Array broadcast_to(const Array& x, const Shape& shape) {
  checked_bytes("broadcast_to", shape, x.dtype().bytes(), Errc::value);
  return seen_as(x, broadcast("broadcast_to", x.layout(), shape), true);
}

Array expand_dims(const Array& x, const Axes& axes) {
  const int ndim = x.ndim() + static_cast<int>(axes.size());
  check(static_cast<std::size_t>(ndim) <= max_dimensions, Errc::value,
        "expand_dims: the result has {} axes; at most {}", ndim, max_dimensions);
  for (const std::int64_t axis : axes)
    check(axis >= -ndim && axis < ndim, Errc::index,
          "expand_dims: axis {} is out of bounds for the result, which has {}", axis,
          detail::AxisCount(ndim));
  const auto mask = marked("expand_dims", axes, ndim);
  Layout layout{{}, {}, x.layout().offset};
  int from = 0;
  for (int i = 0; i < ndim; ++i) {
    const bool is_new = mask[static_cast<std::size_t>(i)];
    layout.shape.push_back(is_new ? 1 : x.shape()[from]);
    layout.strides.push_back(is_new ? 0 : x.layout().strides[from]);
    from += !is_new;
  }
  return seen_as(x, std::move(layout));
}

Array squeeze(const Array& x, const AxisSet& axes) {
  Axes short_ones;
  for (int i = 0; i < x.ndim(); ++i)
    if (x.shape()[i] == 1) short_ones.push_back(i);
  const auto mask = marked("squeeze", axes.get().value_or(short_ones), x.ndim());
  Layout layout{{}, {}, x.layout().offset};
  for (int i = 0; i < x.ndim(); ++i) {
    if (mask[static_cast<std::size_t>(i)]) {
      check(x.shape()[i] == 1, Errc::value, "squeeze: axis {} has length {}, not 1", i,
            x.shape()[i]);
      continue;
    }
    layout.shape.push_back(x.shape()[i]);
    layout.strides.push_back(x.layout().strides[i]);
  }
  return seen_as(x, std::move(layout));
}

Array flip(const Array& x, const AxisSet& axes) {
  const auto mask = marked("flip", axes.get(), x.ndim());
  Layout layout = x.layout();
  for (int i = 0; i < x.ndim(); ++i) {
    if (!mask[static_cast<std::size_t>(i)] || x.shape()[i] == 0) continue;
    if (x.size()) layout.offset += (x.shape()[i] - 1) * layout.strides[i];
    layout.strides[i] = -layout.strides[i];
  }
  return seen_as(x, std::move(layout));
}

}  // namespace isthmus::inline ISTHMUS_ABI
