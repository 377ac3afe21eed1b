// extremes.cpp: a position is the smallest index at which the extreme element is.
#include "isthmus/array/reduce/extremes.h"

#include <algorithm>
#include <limits>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// One axis of an array, or all.
struct Along {
  std::optional<std::int64_t> axis;
  std::int64_t length;
  bool keepdims;

  AxisSet axes() const { return axis ? AxisSet(*axis) : AxisSet(all_axes); }
};

Along checked_along(const char* who, const Array& x, std::optional<std::int64_t> axis,
                    bool keepdims) {
  check_is_ordered(who, x);
  if (axis) axis = checked_axis(who, *axis, x.ndim());
  const Along along{axis, axis ? x.shape(*axis) : x.size(), keepdims};
  if (along.length > 0) return along;
  if (axis) fail(Errc::value, "{}: no elements along axis {} of shape {}", who, *axis, x.shape());
  fail(Errc::value, "{}: no elements in shape {}", who, x.shape());
}

/// The index of each element along the axis, or of all in row-major order.
Array indices_of(const Array& x, const Along& along) {
  const Shape& shape = x.shape();
  if (along.axis) return index_along(shape, static_cast<int>(*along.axis), x.device());
  if (x.ndim() == 0) return full({}, 0, TypeId::int64, x.device());
  Array index = index_along(shape, 0, x.device());
  for (int i = 1; i < x.ndim(); ++i)
    index = std::move(index) * x.shape(i) + index_along(shape, i, x.device());
  return index;
}

/// The smallest index where `found` is true; the length where it is nowhere.
Array first_of(Array found, const Along& along) {
  const InContextOf meanwhile(found);
  Array index = indices_of(found, along);
  return min(where(std::move(found), std::move(index), along.length), along.axes(), along.keepdims);
}

/// Of all axes in memory one axis is made, of which the index needs no arithmetic.
Array as_simple(Array x, const Along& along) {
  const bool is_row = !along.axis && !along.keepdims && !x.is_pending() && is_row_major(x.layout());
  return is_row ? reshape(x, Shape{x.size()}) : x;
}

Array position(const char* who, Reduction extreme, Array x, std::optional<std::int64_t> axis,
               bool keepdims) {
  const Along along = checked_along(who, x, axis, keepdims);
  x = as_simple(std::move(x), along);
  // if any is NaN, the extreme element is, and equals nothing
  Array found = x == reduce(extreme, x, along.axes().get(), true);
  if (has_fractions(x.dtype())) found = std::move(found) | isnan(std::move(x));
  return first_of(std::move(found), along);
}

Array position_of_number(const char* who, Reduction extreme, Array x,
                         std::optional<std::int64_t> axis, bool keepdims) {
  if (!has_fractions(x.dtype())) return position(who, extreme, std::move(x), axis, keepdims);
  const Along along = checked_along(who, x, axis, keepdims);
  x = as_simple(std::move(x), along);
  const double last = extreme == Reduction::max ? -infinite : infinite;
  const Array best = reduce(extreme, where(isnan(x), last, x), along.axes().get(), true);
  Array index = first_of(x == best, along);
  const bool is_missing = index.size() && max(index).item<std::int64_t>() == along.length;
  if (is_missing && axis)
    fail(Errc::value, "{}: nothing but NaN somewhere along axis {} of shape {}", who, *along.axis,
         x.shape());
  check(!is_missing, Errc::value, "{}: nothing but NaN in shape {}", who, x.shape());
  return index;
}

}  // namespace

Array argmax(Array x, std::optional<std::int64_t> axis, Flag keepdims) {
  return position("argmax", Reduction::max, std::move(x), axis, keepdims);
}
Array argmin(Array x, std::optional<std::int64_t> axis, Flag keepdims) {
  return position("argmin", Reduction::min, std::move(x), axis, keepdims);
}
Array nanargmax(Array x, std::optional<std::int64_t> axis, Flag keepdims) {
  return position_of_number("nanargmax", Reduction::max, std::move(x), axis, keepdims);
}
Array nanargmin(Array x, std::optional<std::int64_t> axis, Flag keepdims) {
  return position_of_number("nanargmin", Reduction::min, std::move(x), axis, keepdims);
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
  check(!shape.empty() && count > 0, Errc::value, "unravel_index: shape {} has no {}", Dims(shape),
        shape.empty() ? "axes" : "elements");
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
