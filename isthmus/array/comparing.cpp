// comparing.cpp: comparisons as expressions, so that each is one kernel.
#include "isthmus/array/comparing.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"

namespace isthmus::inline ISTHMUS_ABI {

Array isclose(const Value& first, const Value& second, const Tolerance& tolerance) {
  check(first.array || second.array, Errc::type, "isclose: two numbers; one must be an array");
  const Array& known = first.array ? *first.array : *second.array;
  const Value both[] = {first, second};
  const DType common = result_type("isclose", both);
  const Device device = known.device();
  const DType dtype = had_by(device, has_fractions(common) ? common : default_real(device));
  const InContextOf meanwhile(known);
  const auto as_array = [&](const Value& value) {
    return value.array ? astype(*value.array, dtype, false)
                       : full({}, value, dtype, device, "isclose");
  };
  const Array x = as_array(first), y = as_array(second);
  // NaN is in no order, and so is the difference of infinities
  Array close = isfinite(y) & (abs(x - y) <= tolerance.absolute + tolerance.relative * abs(y));
  close = std::move(close) | (x == y);
  if (tolerance.equal_nan) close = std::move(close) | (isnan(x) & isnan(y));
  return close;
}

Array allclose(const Value& x, const Value& y, const Tolerance& tolerance) {
  return all(isclose(x, y, tolerance));
}

Array array_equal(const Array& x, const Array& y, Flag equal_nan) {
  const InContextOf meanwhile(x);
  if (x.shape() != y.shape()) return full({}, false, {}, x.device());
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
