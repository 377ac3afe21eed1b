// diagonal.cpp: a diagonal is an axis with the strides of two.
#include "isthmus/array/arrange/diagonal.h"

#include <algorithm>

#include "isthmus/array/functions.h"
#include "isthmus/array/index/part.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/infer/dtypes.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

Array diagonal_of(const char* who, const Array& x, std::int64_t offset, std::int64_t axis1,
                  std::int64_t axis2) {
  check(x.ndim() >= 2, Errc::value, "{}: an array of {}; at least 2 are needed", who,
        detail::AxisCount(x.ndim()));
  const int row = checked_axis(who, axis1, x.ndim()), column = checked_axis(who, axis2, x.ndim());
  check(row != column, Errc::value, "{}: axis {} is given twice; two different axes are needed",
        who, row);
  const std::int64_t rows = length_of(x, row), columns = length_of(x, column);
  const std::int64_t down = offset < 0 ? -std::max(offset, -rows) : 0;
  const std::int64_t right = std::clamp<std::int64_t>(offset, 0, columns);
  const std::int64_t length = std::min(rows - down, columns - right);
  const Layout& whole = x.layout();
  const std::int64_t row_stride = whole.strides[static_cast<std::size_t>(row)];
  const std::int64_t column_stride = whole.strides[static_cast<std::size_t>(column)];
  Layout layout;
  layout.offset = whole.offset;
  for (int i = 0; i < x.ndim(); ++i) {
    if (i == row || i == column) continue;
    layout.shape.push_back(length_of(x, i));
    layout.strides.push_back(whole.strides[static_cast<std::size_t>(i)]);
  }
  layout.shape.push_back(length);
  layout.strides.push_back(row_stride + column_stride);
  if (layout.count()) layout.offset += down * row_stride + right * column_stride;
  return seen_as(x, std::move(layout));
}

}  // namespace

Array diagonal(const Array& x, AnyInteger offset, AnyInteger axis1, AnyInteger axis2) {
  return diagonal_of("diagonal", x, offset, axis1, axis2);
}

Array trace(const Array& x, AnyInteger offset, AnyInteger axis1, AnyInteger axis2,
            std::optional<DType> dtype) {
  reduction_types("trace", Reduction::sum, x, dtype);  // its name in errors
  return sum(diagonal_of("trace", x, offset, axis1, axis2), -1, false, dtype);
}

Array Array::diagonal(AnyInteger offset, AnyInteger axis1, AnyInteger axis2) const {
  return isthmus::diagonal(*this, offset, axis1, axis2);
}

Array Array::trace(AnyInteger offset, AnyInteger axis1, AnyInteger axis2,
                   std::optional<DType> dtype) const {
  return isthmus::trace(*this, offset, axis1, axis2, dtype);
}

}  // namespace isthmus::inline ISTHMUS_ABI
