// cross.cpp: cross products of vectors.
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/array/products/products.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

Array cross(const Array& x, const Array& y, AnyInteger axis) {
  const DType dtype = product_dtype("cross", x, y);
  check(dtype.family != Family::boolean, Errc::type,
        "cross: does not accept bool; it accepts integers, floats, complex");
  const auto last = [&](const Array& operand) {
    return moveaxis(operand, checked_axis("cross", axis, operand.ndim()), -1);
  };
  const Array left = last(x), right = last(y);
  check(left.shape(-1) == 3 && right.shape(-1) == 3, Errc::value,
        "cross: shapes {} and {}: axis {} must have 3 elements in both", x.shape(), y.shape(),
        axis);
  const auto of = [](const Array& vectors, int i) { return vectors[{ellipsis, i}]; };
  const auto part = [&](int i, int j) {
    return of(left, i) * of(right, j) - of(left, j) * of(right, i);
  };
  const std::int64_t place = axis;
  return moveaxis(stack({part(1, 2), part(2, 0), part(0, 1)}, -1), -1, place);
}

}  // namespace isthmus::inline ISTHMUS_ABI
