// neighbours.cpp: windows by strides.
#include "isthmus/array/arrange/neighbours.h"

#include "isthmus/array/index/seen.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::AxisCount;

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
    check(sum_fits(layout.shape[at] - length, 1, layout.shape[at]), Errc::value,
          "sliding_window_view: axis {} has more than 2^63-1 windows of length 0", axis);
    layout.shape.push_back(length);
    layout.strides.push_back(layout.strides[at]);
  }
  check(layout.shape.size() <= max_dimensions, Errc::value,
        "sliding_window_view: {} axes; at most {}", layout.shape.size(), max_dimensions);
  checked_bytes("sliding_window_view", layout.shape, x.dtype().bytes(), Errc::value);
  return seen_as(x, std::move(layout), true);
}

}  // namespace isthmus::inline ISTHMUS_ABI
