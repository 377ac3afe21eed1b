// rows.cpp: views as rows and back, and orders by several keys.
#include "isthmus/array/sort/rows.h"

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/axes.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/place.h"
#include "isthmus/array/sort/sort.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

namespace {

/// The axes outside the rows, then those in them.
Axes order_of(const SmallVector<bool, 4>& along) {
  Axes order;
  for (const bool is_along : {false, true})
    for (std::size_t axis = 0; axis < along.size(); ++axis)
      if (along[axis] == is_along) order.push_back(static_cast<std::int64_t>(axis));
  return order;
}

}  // namespace

Rows::Rows(const Array& x, int axis)
    : shape_(x.shape()), along_(static_cast<std::size_t>(x.ndim()), false) {
  along_[static_cast<std::size_t>(axis)] = true;
  for (std::size_t i = 0; i < along_.size(); ++i) (along_[i] ? length : count) *= shape_[i];
  all = contiguous(reshape(permute_dims(x, order_of(along_)), {count, length}));
}

Rows::Rows(std::string_view who, const Array& x, const AxisSet& axes)
    : shape_(x.shape()), along_(marked(who, axes.get(), x.ndim())) {
  for (std::size_t i = 0; i < along_.size(); ++i) (along_[i] ? length : count) *= shape_[i];
  all = contiguous(reshape(permute_dims(x, order_of(along_)), {count, length}));
}

Array Rows::back(const Array& made) const {
  const Axes order = order_of(along_);
  Axes inverse(Dims(order.size(), 0));
  Shape shape;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto axis = static_cast<std::size_t>(order[i]);
    shape.push_back(along_[axis] ? made.shape(1) : shape_[axis]);
    inverse[axis] = static_cast<std::int64_t>(i);
  }
  return permute_dims(reshape(made, shape), inverse);
}

Array Rows::reduced(const Array& made, bool keepdims) const {
  Shape shape;
  for (std::size_t i = 0; i < along_.size(); ++i)
    if (!along_[i] || keepdims) shape.push_back(along_[i] ? 1 : shape_[i]);
  return reshape(made, shape);
}

Array Rows::reduced_behind(const Array& made, bool keepdims) const {
  Shape shape{made.shape(0)};
  for (std::size_t i = 0; i < along_.size(); ++i)
    if (!along_[i] || keepdims) shape.push_back(along_[i] ? 1 : shape_[i]);
  return reshape(made, shape);
}

Array pick(std::string_view who, const Array& rows, const Array& at) {
  if (rows.shape(0) == 1) return load(who, rows, at);
  const InContextOf meanwhile(rows);
  return load(who, rows, at + index_along(at.shape(), 0, rows.device()) * rows.shape(1));
}

Array argsort_rows(std::string_view who, std::span<const Key> keys) {
  // by the last key first: a stable order keeps it where the next one has equal elements
  Array order;
  for (std::size_t i = keys.size(); i-- > 0;) {
    const SortOptions options{.descending = keys[i].is_descending};
    if (!order.has_value()) {
      order = argsort(keys[i].rows, -1, options);
      continue;
    }
    order.eval();
    const Array again = argsort(pick(who, contiguous(keys[i].rows), order), -1, options);
    order = pick(who, order, again);
  }
  return order;
}

void append_keys(std::vector<Key>& keys, const Array& rows, bool is_descending) {
  if (rows.dtype().family != Family::complex) {
    keys.push_back({rows, is_descending});
    return;
  }
  // numbers with a NaN come behind those without, those whose real part is one last
  const Array re = isthmus::real(rows), im = isthmus::imag(rows);
  const Array kind = astype(isnan(re), TypeId::uint8) * 2 + astype(isnan(im), TypeId::uint8);
  keys.push_back({kind, false});
  keys.push_back({re, is_descending});
  keys.push_back({im, is_descending});
}

Array in_one_row(const Array& x) { return contiguous(reshape(x, Shape{x.size()})); }

}  // namespace isthmus::inline ISTHMUS_ABI::detail
