// nan_statistics.cpp: NaN is replaced by what changes nothing, and numbers are counted.
#include "isthmus/array/reduce/nan_statistics.h"

#include <limits>

#include "isthmus/array/functions.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/array/reduce/statistics.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// x with a number in the place of NaN.
Array replaced(const Array& x, const Value& number) {
  return has_fractions(x.dtype()) ? where(isnan(x), number, x) : x;
}

/// How many are numbers, in a dtype to divide by.
Array count_of_numbers(const Array& x, const AxisSet& axes) {
  return astype(sum(~isnan(x), axes), real_part(x.dtype()), false);
}

Array nan_spread(const char* who, Array x, const AxisSet& axes, bool keepdims, double correction,
                 std::optional<DType> as, bool is_root) {
  check_has_numbers(who, x);
  check_holds_fractions(who, x, as);
  count_along(who, x, axes);
  if (!has_fractions(x.dtype())) {
    return is_root ? isthmus::std(std::move(x), axes, keepdims, correction, as)
                   : isthmus::var(std::move(x), axes, keepdims, correction, as);
  }
  if (as) x = astype(std::move(x), *as, false);
  const DType dtype = x.dtype();
  x = astype(std::move(x), summing_dtype(dtype), false);
  const Array count = count_of_numbers(x, axes);
  // not replaced(x - middle, 0): what is infinite is NaN away from an infinite mean, and counts
  const auto far_from = [&](const Array& middle) { return where(isnan(x), 0, x - middle); };
  const Array near = with_axes_kept(sum(replaced(x, 0), axes) / count, x.ndim(), axes);
  // without the rounding of the sum, which is large where elements lie close together, far from 0
  const Array rest = with_axes_kept(sum(far_from(near), axes) / count, x.ndim(), axes);
  Array far = far_from(near + rest);
  const Array freedom = count - correction;
  Array made = sum(squared_size(std::move(far)), axes) / freedom;
  if (is_root) made = sqrt(std::move(made));
  made = where(freedom > 0, std::move(made), not_a_number);
  made = astype(std::move(made), as.value_or(real_part(dtype)), false);
  return keepdims ? with_axes_kept(made, x.ndim(), axes) : made;
}

}  // namespace

Array nansum(Array x, const AxisSet& axes, Flag keepdims, std::optional<DType> dtype) {
  check_has_numbers("nansum", x);
  reduction_types("nansum", Reduction::sum, x, dtype);  // its name in errors
  return sum(replaced(x, 0), axes, keepdims, dtype);
}
Array nanprod(Array x, const AxisSet& axes, Flag keepdims, std::optional<DType> dtype) {
  check_has_numbers("nanprod", x);
  reduction_types("nanprod", Reduction::prod, x, dtype);
  return prod(replaced(x, 1), axes, keepdims, dtype);
}

/// Throws, with the name of the function, what the scan would with its own.
static void check_scan(const char* who, Reduction reduction, const Array& x, OptionalInteger axis,
                       std::optional<DType> dtype) {
  check_has_numbers(who, x);
  reduction_types(who, reduction, x, dtype);
  if (axis) detail::checked_axis(who, *axis, x.ndim());
}

Array nancumsum(const Array& x, OptionalInteger axis, std::optional<DType> dtype) {
  check_scan("nancumsum", Reduction::sum, x, axis, dtype);
  return replaced(x, 0).cumsum(axis, dtype);
}
Array nancumprod(const Array& x, OptionalInteger axis, std::optional<DType> dtype) {
  check_scan("nancumprod", Reduction::prod, x, axis, dtype);
  return replaced(x, 1).cumprod(axis, dtype);
}

Array nanmean(Array x, const AxisSet& axes, Flag keepdims, std::optional<DType> as) {
  check_has_numbers("nanmean", x);
  check_holds_fractions("nanmean", x, as);
  count_along("nanmean", x, axes);
  if (!has_fractions(x.dtype())) return mean(std::move(x), axes, keepdims, as);
  if (as) x = astype(std::move(x), *as, false);
  const DType dtype = x.dtype();
  x = astype(std::move(x), summing_dtype(dtype), false);
  Array total = sum(replaced(x, 0), axes);
  const Array made = astype(std::move(total) / count_of_numbers(x, axes), dtype, false);
  return keepdims ? with_axes_kept(made, x.ndim(), axes) : made;
}

Array nanvar(Array x, const AxisSet& axes, Flag keepdims, double correction,
             std::optional<DType> dtype) {
  return nan_spread("nanvar", std::move(x), axes, keepdims, correction, dtype, false);
}
Array nanstd(Array x, const AxisSet& axes, Flag keepdims, double correction,
             std::optional<DType> dtype) {
  return nan_spread("nanstd", std::move(x), axes, keepdims, correction, dtype, true);
}

}  // namespace isthmus::inline ISTHMUS_ABI
