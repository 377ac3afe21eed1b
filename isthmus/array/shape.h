// shape.h: lengths of axes and lists of axes, as arguments.
#pragma once

#include <concepts>
#include <ranges>

#include "isthmus/core/layout.h"

namespace isthmus {

/// Integers of 64 bits from a brace list, `zeros({2, 3})`, or from any contiguous range of
/// integers. A value with its own copy of them.
class Shape : public Dims {
 public:
  using Dims::Dims;
  Shape() = default;
  Shape(const Dims& dims) : Dims(dims) {}  // NOLINT: x.shape() is a shape
  template <std::ranges::contiguous_range R>
    requires(std::integral<std::ranges::range_value_t<R>> && !std::derived_from<R, Dims>)
  Shape(const R& range)  // NOLINT: a range of integers is a shape
      : Dims(std::ranges::begin(range), std::ranges::end(range)) {}
};

/// Numbers of axes; negative ones count from the last.
using Axes = Shape;

}  // namespace isthmus
