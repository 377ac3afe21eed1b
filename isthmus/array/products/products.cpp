// products.cpp: products as one product of matrices, by a library or as sums of products.
#include "isthmus/array/products/products.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/array/products/device_product.h"
#include "isthmus/array/products/host_product.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/runtime/evaluate/put_off.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/runtime/submit/run_here.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

/// In which numbers of a dtype are multiplied and added up.
DType calculated_as(DType dtype) { return summing_dtype(dtype); }

Array without_axis(const Array& x, std::int64_t axis) { return squeeze(x, axis); }

/// The shape of the axes in front of the last two, or what broadcasts them.
Shape in_front(const Array& x) { return {x.shape().begin(), x.shape().end() - 2}; }

Shape common_shape(std::string_view who, const Dims& a, const Dims& b) {
  const std::span<const std::int64_t> both[] = {{a.begin(), a.end()}, {b.begin(), b.end()}};
  return broadcast_shapes(who, both);
}

void check_fit(std::string_view who, const Array& x, const Array& y) {
  for (const Array* operand : {&x, &y})
    check(operand->ndim() > 0, Errc::value,
          "{}: an operand has no axes; shapes are {} and {}; multiply takes numbers", who,
          x.shape(), y.shape());
  const std::int64_t inner = x.shape(-1), rows = y.shape(y.ndim() == 1 ? -1 : -2);
  if (inner == rows) return;
  const bool fits_first = x.ndim() > 1 && x.shape(-2) == rows;
  const bool fits_second = y.ndim() > 1 && y.shape(-1) == inner;
  const char* const advice = fits_first && fits_second ? "matrix_transpose of one of them fits"
                             : fits_first              ? "matrix_transpose of the first one fits"
                             : fits_second             ? "matrix_transpose of the second one fits"
                                                       : "reshape one of them";
  fail(
      Errc::value,
      "{}: shapes {} and {}: the last axis of the first has {} elements, axis {} of the second {}, "
      "and both must be equal; {}",
      who, x.shape(), y.shape(), inner, y.ndim() == 1 ? -1 : -2, rows, advice);
}

/// Many matrices times one are one product of a longer matrix, where that needs no copy.
bool is_one_product(const Array& x, const Array& y) {
  return y.ndim() == 2 && x.ndim() > 2 && x.size() > 0 && is_row_major(x.layout());
}

/// Of operands with two axes or more, and one dtype.
Array multiply_matrices(std::string_view who, Array x, Array y, DType dtype) {
  const bool is_on_host = host_works_for(x.device());
  const DType held = is_on_host ? calculated_as(dtype) : dtype;  // devices widen as they read
  x = astype(std::move(x), held, false);
  y = astype(std::move(y), held, false);
  Shape shape = common_shape(who, in_front(x), in_front(y));
  shape.push_back(x.shape(-2));
  shape.push_back(y.shape(-1));
  checked_count(who, {shape.begin(), shape.end()});
  x.eval();
  y.eval();
  if (is_one_product(x, y)) {
    const Array rows = reshape(x, {-1, x.shape(-1)}, false);
    if (const auto made = multiply_on_host(who, rows, y, {rows.shape(0), y.shape(-1)}))
      return astype(reshape(*made, shape), dtype, false);
  } else if (const auto made = multiply_on_host(who, x, y, shape)) {
    return astype(*made, dtype, false);
  }
  if (const auto made = multiply_on_device(who, x, y, shape)) return astype(*made, dtype, false);
  Array columns = matrix_transpose(y);
  // a CPU adds up what lies densely, and reads it m times
  if (x.device().is_host() || x.device().info().has_unified_memory)
    columns = contiguous(columns).eval();
  return sum_of_products(who, expand_dims(x, -2), expand_dims(columns, -3), -1, dtype);
}

}  // namespace

DType product_dtype(std::string_view who, std::span<const Array> operands) {
  const Array& x = operands.front();
  SmallVector<Value, 2> values;
  for (const Array& y : operands) {
    check_has_numbers(who, y);
    check(x.device() == y.device(), Errc::device_mismatch,
          "{}: operands are on {} and {}; move one with to_device", who, x.device(), y.device());
    values.push_back(y);
  }
  const DType dtype = result_type(who, values);
  check(has_dtype(x.device(), dtype), Errc::type, "{}: {} has no {}; use float32", who, x.device(),
        dtype);
  return dtype;
}

DType product_dtype(std::string_view who, const Array& x, const Array& y) {
  const Array both[] = {x, y};
  return product_dtype(who, both);
}

Array sum_up(Array x, const AxisSet& axes, DType dtype) {
  if (dtype.family == Family::boolean) return any(std::move(x), axes);
  const DType wide = calculated_as(dtype);
  return astype(sum(astype(std::move(x), wide, false), axes, false, wide), dtype, false);
}

Array sum_of_products(std::string_view who, const Array& x, const Array& y, const AxisSet& axes,
                      DType dtype) {
  const bool is_at_once = is_eager() && !WrittenAtOnce::is_on();
  common_shape(who, x.shape(), y.shape());
  const WrittenAtOnce one_kernel;
  Array made;
  if (dtype.family == Family::boolean) {
    made = any(logical_and(astype(x, dtype, false), astype(y, dtype, false)), axes);
  } else {
    const DType wide = calculated_as(dtype);
    Array products = astype(x, wide, false) * astype(y, wide, false);
    made = astype(sum(std::move(products), axes, false, wide), dtype, false);
  }
  if (is_at_once) made.eval();
  return made;
}

Array matmul_as(std::string_view who, const Array& x, const Array& y) {
  const DType dtype = product_dtype(who, x, y);
  check_fit(who, x, y);
  if (x.ndim() == 1 && y.ndim() == 1) return sum_of_products(who, x, y, -1, dtype);
  const Array rows = x.ndim() == 1 ? expand_dims(x, 0) : x;
  const Array columns = y.ndim() == 1 ? expand_dims(y, 1) : y;
  const Array made = multiply_matrices(who, rows, columns, dtype);
  if (x.ndim() == 1) return without_axis(made, -2);
  return y.ndim() == 1 ? without_axis(made, -1) : made;
}

Array matmul(const Array& x, const Array& y) { return matmul_as("matmul", x, y); }

const Array& matmul_in_place(const Array& target, const Array& y) {
  return write_result("matmul", target, matmul(target, y));
}

Array vecdot(const Array& x, const Array& y, AnyInteger axis) {
  const DType dtype = product_dtype("vecdot", x, y);
  const auto last = [&](const Array& operand) {
    return moveaxis(operand, checked_axis("vecdot", axis, operand.ndim()), -1);
  };
  const Array left = last(x), right = last(y);
  check(left.shape(-1) == right.shape(-1), Errc::value,
        "vecdot: shapes {} and {}: axis {} has {} and {} elements, and both must be equal",
        x.shape(), y.shape(), axis, left.shape(-1), right.shape(-1));
  const bool is_complex = left.dtype().family == Family::complex;
  return sum_of_products("vecdot", is_complex ? conj(left) : left, right, -1, dtype);
}

static Array times(const char* who, const Array& x, const Value& number) {
  product_dtype(who, x, x);
  const bool is_bool = x.dtype().family == Family::boolean;
  return is_bool && number.scalar.dtype.family == Family::boolean ? logical_and(x, number)
                                                                  : multiply(x, number);
}

Array detail::dot_with(const Array& x, const Value& number) { return times("dot", x, number); }

Array detail::outer_with(const Array& x, const Value& number, bool is_row) {
  const Axes shape = is_row ? Axes{1, -1} : Axes{-1, 1};
  return reshape(times("outer", x, number), shape);
}

Array outer(const Array& x, const Array& y) {
  const DType dtype = product_dtype("outer", x, y);
  checked_bytes("outer", Shape{x.size(), y.size()}, dtype.bytes());
  const Array column = reshape(x, {-1, 1}), row = reshape(y, {1, -1});
  if (x.dtype().family == Family::boolean && y.dtype().family == Family::boolean)
    return logical_and(column, row);
  return column * row;
}

Array dot(const Array& x, const Array& y) {
  if (x.ndim() == 0 || y.ndim() == 0) {
    const DType dtype = product_dtype("dot", x, y);
    if (dtype.family == Family::boolean) return logical_and(x, y);
    return x * y;
  }
  if (y.ndim() <= 2) return matmul_as("dot", x, y);
  check_fit("dot", x, y);
  return tensordot(x, y, {-1}, {-2});
}

Array vdot(const Array& x, const Array& y) {
  const DType dtype = product_dtype("vdot", x, y);
  check(x.size() == y.size(), Errc::value,
        "vdot: shapes {} and {} have {} and {} elements, and both must be equal", x.shape(),
        y.shape(), x.size(), y.size());
  const Array left = ravel(x), right = ravel(y);
  const bool is_complex = left.dtype().family == Family::complex;
  return sum_of_products("vdot", is_complex ? conj(left) : left, right, -1, dtype);
}

Array Array::dot(const Array& y) const { return isthmus::dot(*this, y); }
Array Array::vdot(const Array& y) const { return isthmus::vdot(*this, y); }

}  // namespace isthmus::inline ISTHMUS_ABI
