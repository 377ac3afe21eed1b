// extremes.cpp: where the extreme element is, and an index as one for each axis.
#include "isthmus/array/reduce/extremes.h"

#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// The axis, counted from the first one. Throws value for no elements along it, or at all.
std::optional<std::int64_t> checked_along(std::string_view who, const Array& x,
                                          std::optional<std::int64_t> axis) {
  check_is_ordered(who, x);
  if (axis) axis = checked_axis(who, *axis, x.ndim());
  if ((axis ? x.shape(*axis) : x.size()) > 0) return axis;
  if (axis) fail(Errc::value, "{}: no elements along axis {} of shape {}", who, *axis, x.shape());
  fail(Errc::value, "{}: no elements in shape {}", who, x.shape());
}

Array position(Reduction extreme, Array x, std::optional<std::int64_t> axis, bool keepdims) {
  axis = checked_along(info(extreme).name, x, axis);
  const AxisSet axes = axis ? AxisSet(*axis) : AxisSet(all_axes);
  return reduce(extreme, std::move(x), axes.get(), keepdims);
}

Array position_of_number(Reduction extreme, Array x, std::optional<std::int64_t> axis,
                         bool keepdims) {
  const std::string_view who = info(extreme).name;
  axis = checked_along(who, x, axis);
  const Dims shape = x.shape();
  const bool may_be_nan = has_fractions(x.dtype());
  Array index = position(extreme, std::move(x), axis, keepdims);
  const bool is_missing = may_be_nan && index.size() && min(index).item<std::int64_t>() < 0;
  if (is_missing && axis)
    fail(Errc::value, "{}: only NaN in a slice along axis {} of shape {}", who, *axis, shape);
  check(!is_missing, Errc::value, "{}: only NaN in shape {}", who, shape);
  return index;
}

}  // namespace

Array argmax(Array x, OptionalInteger axis, Flag keepdims) {
  return position(Reduction::argmax, std::move(x), axis, keepdims);
}
Array argmin(Array x, OptionalInteger axis, Flag keepdims) {
  return position(Reduction::argmin, std::move(x), axis, keepdims);
}
Array nanargmax(Array x, OptionalInteger axis, Flag keepdims) {
  return position_of_number(Reduction::nanargmax, std::move(x), axis, keepdims);
}
Array nanargmin(Array x, OptionalInteger axis, Flag keepdims) {
  return position_of_number(Reduction::nanargmin, std::move(x), axis, keepdims);
}

std::vector<Array> detail::indices_of_axes(const Array& numbers,
                                           std::span<const std::int64_t> shape) {
  const InContextOf meanwhile(numbers);
  std::vector<Array> all;
  std::int64_t behind = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const std::int64_t length = std::max<std::int64_t>(shape[axis], 1);
    Array index = behind > 1 ? floor_divide(numbers, behind) : numbers;
    if (axis > 0) index = remainder(std::move(index), length);
    all.insert(all.begin(), std::move(index));
    behind *= length;
  }
  return all;
}

std::vector<Array> unravel_index(const Array& indices, const Shape& shape, std::string_view order) {
  check(order == "C" || order == "F", Errc::value, "unravel_index: order: '{}' is none of C, F",
        order);
  check_integers("unravel_index", indices);
  const std::int64_t count = checked_count("unravel_index", shape);
  const bool is_there = count > 0 || indices.size() == 0;
  check(!shape.empty() && is_there, Errc::value, "unravel_index: shape {} has no {}", Dims(shape),
        shape.empty() ? "axes" : "elements");
  if (count == 0) {
    const auto none = [&](std::int64_t) {
      return zeros(indices.shape(), TypeId::int64, indices.device());
    };
    std::vector<Array> all;
    std::ranges::transform(shape, std::back_inserter(all), none);
    return all;
  }
  const bool is_result = count == (order == "C" ? shape[0] : shape[shape.size() - 1]);
  const Array index = astype(indices, TypeId::int64, is_result);
  if (order == "C") return detail::indices_of_axes(index, shape);
  Shape reversed;
  for (std::size_t i = shape.size(); i-- > 0;) reversed.push_back(shape[i]);
  std::vector<Array> all = detail::indices_of_axes(index, reversed);
  std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace isthmus::inline ISTHMUS_ABI
