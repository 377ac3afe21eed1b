// tensordot.cpp: sums over pairs of axes as a product of matrices.
#include <numeric>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/array/products/products.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Numbers of axes from 0 on, in their order. Throws index, and value for repeated ones.
std::vector<std::size_t> checked(const Array& x, const Axes& axes) {
  std::vector<std::size_t> found;
  for (const std::int64_t axis : axes) {
    const auto at = static_cast<std::size_t>(checked_axis("tensordot", axis, x.ndim()));
    check(std::ranges::find(found, at) == found.end(), Errc::value,
          "tensordot: axis {} is repeated; each may be named once", axis);
    found.push_back(at);
  }
  return found;
}

std::vector<std::size_t> others(const Array& x, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> rest;
  for (std::size_t axis = 0; axis < x.shape().size(); ++axis)
    if (std::ranges::find(axes, axis) == axes.end()) rest.push_back(axis);
  return rest;
}

std::int64_t length_of(const Array& x, const std::vector<std::size_t>& axes) {
  std::int64_t length = 1;
  for (const std::size_t axis : axes) length *= x.shape()[axis];
  return length;
}

Array as_matrix(const Array& x, const std::vector<std::size_t>& rows,
                const std::vector<std::size_t>& columns) {
  Axes order(rows.begin(), rows.end());
  for (const std::size_t axis : columns) order.push_back(static_cast<std::int64_t>(axis));
  return reshape(permute_dims(x, order), {length_of(x, rows), length_of(x, columns)});
}

}  // namespace

Array tensordot(const Array& x, const Array& y, const Axes& axes_of_x, const Axes& axes_of_y) {
  product_dtype("tensordot", x, y);
  check(axes_of_x.size() == axes_of_y.size(), Errc::value,
        "tensordot: {} axes of the first array and {} of the second; they are paired",
        axes_of_x.size(), axes_of_y.size());
  const std::vector<std::size_t> of_x = checked(x, axes_of_x), of_y = checked(y, axes_of_y);
  for (std::size_t i = 0; i < of_x.size(); ++i)
    check(x.shape()[of_x[i]] == y.shape()[of_y[i]], Errc::value,
          "tensordot: shapes {} and {}: axis {} of the first has {} elements, axis {} of the "
          "second {}, and both must be equal",
          x.shape(), y.shape(), of_x[i], x.shape()[of_x[i]], of_y[i], y.shape()[of_y[i]]);
  const std::vector<std::size_t> left = others(x, of_x), right = others(y, of_y);
  Shape shape;
  for (const std::size_t axis : left) shape.push_back(x.shape()[axis]);
  for (const std::size_t axis : right) shape.push_back(y.shape()[axis]);
  checked_count("tensordot", {shape.begin(), shape.end()});
  return reshape(matmul_as("tensordot", as_matrix(x, left, of_x), as_matrix(y, of_y, right)),
                 shape);
}

Array tensordot(const Array& x, const Array& y, AnyInteger count) {
  const auto most = static_cast<std::int64_t>(std::min(x.ndim(), y.ndim()));
  check(count >= 0 && count <= most, Errc::value,
        "tensordot: {} axes of shapes {} and {}; 0 to {} can be summed over", count, x.shape(),
        y.shape(), most);
  Axes last, first;
  for (std::int64_t i = 0; i < count; ++i) {
    last.push_back(x.ndim() - count + i);
    first.push_back(i);
  }
  return tensordot(x, y, last, first);
}

}  // namespace isthmus::inline ISTHMUS_ABI
