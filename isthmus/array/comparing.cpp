// comparing.cpp: comparisons as expressions, so that each is one kernel.
#include "isthmus/array/comparing.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/infer/infer.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// common_dtype_of(), which no structs have.
DType comparable(std::string_view who, const Value& x, const Value& y) {
  for (const Value* value : {&x, &y})
    if (value->array) check_has_numbers(who, *value->array);
  const Value both[] = {x.lent(), y.lent()};
  return common_dtype_of(who, both);
}

Array is_close(std::string_view who, const Value& first, const Value& second,
               const Tolerance& tolerance) {
  const DType common = comparable(who, first, second);
  const Array& known = first.array ? *first.array : *second.array;
  const Device device = known.device();
  const DType dtype = had_by(device, has_fractions(common) ? common : default_real(device));
  const InContextOf meanwhile(known);
  const auto as_array = [&](const Value& value) {
    return value.array ? astype(*value.array, dtype, false) : full({}, value, dtype, device, who);
  };
  const Array x = as_array(first), y = as_array(second);
  // NaN is in no order, and so is the difference of infinities
  Array close = isfinite(y) & (abs(x - y) <= tolerance.absolute + tolerance.relative * abs(y));
  close = std::move(close) | (x == y);
  if (tolerance.equal_nan) close = std::move(close) | (isnan(x) & isnan(y));
  return close;
}

}  // namespace

Array isclose(const Value& x, const Value& y, const Tolerance& tolerance) {
  return is_close("isclose", x, y, tolerance);
}

Array allclose(const Value& x, const Value& y, const Tolerance& tolerance) {
  return all(is_close("allclose", x, y, tolerance));
}

Array array_equal(const Array& x, const Array& y, Flag equal_nan) {
  const InContextOf meanwhile(x);
  if (x.shape() != y.shape()) return full({}, false, {}, x.device());
  comparable("array_equal", x, y);
  Array same = x == y;
  if (equal_nan && has_fractions(x.dtype()) && has_fractions(y.dtype()))
    same = std::move(same) | (isnan(x) & isnan(y));
  return all(std::move(same));
}

Array count_nonzero(const Array& x, const AxisSet& axes, Flag keepdims) {
  check_has_numbers("count_nonzero", x);
  count_along("count_nonzero", x, axes);  // its name in errors
  return sum(astype(x, TypeId::bool_, false), axes, keepdims);
}

}  // namespace isthmus::inline ISTHMUS_ABI
