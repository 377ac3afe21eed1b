// functions.cpp: functions that are no row, and the members of Array that are functions.
#include "isthmus/array/functions.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/reduce/extremes.h"
#include "isthmus/array/reduce/statistics.h"
#include "isthmus/array/refuse.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Of two bounds one: by the row that has it alone, where that of clip would do.
static Array clipped_by(Op op, Array x, const Value& bound) {
  const Value both[] = {x, bound};
  const DType dtype = result_type("clip", both);
  if (dtype.family == Family::complex) refuse_dtype(info(Op::clip), dtype);
  const Value inside = within_range(bound, x.dtype());
  return apply(op, {Value::of_released(x), inside.lent()});
}

Array clip(Array x, std::nullopt_t, const Value& high) {
  return clipped_by(Op::minimum, std::move(x), high);
}
Array clip(Array x, const Value& low, std::nullopt_t) {
  return clipped_by(Op::maximum, std::move(x), low);
}

Array Array::to_device(const Device& device) const { return isthmus::to_device(*this, device); }
Array Array::copy() const { return isthmus::reshape(*this, shape(), true); }
void Array::fill(const Value& value) const { detail::assign_for("fill", *this, value); }

Array Array::reshape(const Shape& shape, std::optional<Flag> copy) const {
  return isthmus::reshape(*this, shape, copy);
}
Array Array::ravel() const { return isthmus::ravel(*this); }
Array Array::flatten() const { return isthmus::flatten(*this); }
Array Array::transpose() const { return isthmus::transpose(*this); }
Array Array::transpose(const Axes& axes) const { return permute_dims(*this, axes); }
Array Array::T() const {
  check(ndim() == 2, Errc::value, "T: an array of {}; T needs 2, {}", detail::AxisCount(ndim()),
        ndim() > 2 ? "use permute_dims or mT" : "reshape to (-1, 1) for a column");
  return isthmus::transpose(*this);
}
Array Array::mT() const { return matrix_transpose(*this); }
Array Array::swapaxes(AnyInteger first, AnyInteger second) const {
  return isthmus::swapaxes(*this, first, second);
}
Array Array::squeeze(const AxisSet& axes) const { return isthmus::squeeze(*this, axes); }
Array Array::real() const { return real_view(*this); }
Array Array::imag() const { return imag_view(*this); }

Array Array::astype(DType dtype, Flag copy) const& { return isthmus::astype(*this, dtype, copy); }
Array Array::astype(DType dtype, Flag copy) && {
  return isthmus::astype(std::move(*this), dtype, copy);
}
Array Array::round(AnyInteger decimals) const& { return round_to(*this, decimals); }
Array Array::round(AnyInteger decimals) && { return round_to(std::move(*this), decimals); }
Array Array::conj() const& { return isthmus::conj(*this); }
Array Array::conj() && { return isthmus::conj(std::move(*this)); }

Array Array::clip(const std::optional<Value>& low, const std::optional<Value>& high) const& {
  return Array(*this).clip(low, high);
}
Array Array::clip(const std::optional<Value>& low, const std::optional<Value>& high) && {
  if (low && high) return isthmus::clip(std::move(*this), *low, *high);
  if (low) return isthmus::clip(std::move(*this), *low, std::nullopt);
  return high ? isthmus::clip(std::move(*this), std::nullopt, *high) : copy();
}

#define ISTHMUS_REDUCTION(name)                                  \
  Array Array::name(const AxisSet& axes, Flag keepdims) const& { \
    return isthmus::name(*this, axes, keepdims);                 \
  }                                                              \
  Array Array::name(const AxisSet& axes, Flag keepdims) && {     \
    return isthmus::name(std::move(*this), axes, keepdims);      \
  }
ISTHMUS_REDUCTION(max)
ISTHMUS_REDUCTION(min)
ISTHMUS_REDUCTION(any)
ISTHMUS_REDUCTION(all)
#undef ISTHMUS_REDUCTION
#define ISTHMUS_REDUCTION(name)                                                              \
  Array Array::name(const AxisSet& axes, Flag keepdims, std::optional<DType> dtype) const& { \
    return isthmus::name(*this, axes, keepdims, dtype);                                      \
  }                                                                                          \
  Array Array::name(const AxisSet& axes, Flag keepdims, std::optional<DType> dtype) && {     \
    return isthmus::name(std::move(*this), axes, keepdims, dtype);                           \
  }
ISTHMUS_REDUCTION(sum)
ISTHMUS_REDUCTION(prod)
ISTHMUS_REDUCTION(mean)
#undef ISTHMUS_REDUCTION
#define ISTHMUS_REDUCTION(name)                                                \
  Array Array::name(const AxisSet& axes, Flag keepdims, double correction,     \
                    std::optional<DType> dtype) const& {                       \
    return isthmus::name(*this, axes, keepdims, correction, dtype);            \
  }                                                                            \
  Array Array::name(const AxisSet& axes, Flag keepdims, double correction,     \
                    std::optional<DType> dtype) && {                           \
    return isthmus::name(std::move(*this), axes, keepdims, correction, dtype); \
  }
ISTHMUS_REDUCTION(var)
ISTHMUS_REDUCTION(std)
#undef ISTHMUS_REDUCTION
#define ISTHMUS_REDUCTION(name)                                   \
  Array Array::name(OptionalInteger axis, Flag keepdims) const& { \
    return isthmus::name(*this, axis, keepdims);                  \
  }                                                               \
  Array Array::name(OptionalInteger axis, Flag keepdims) && {     \
    return isthmus::name(std::move(*this), axis, keepdims);       \
  }
ISTHMUS_REDUCTION(argmax)
ISTHMUS_REDUCTION(argmin)
#undef ISTHMUS_REDUCTION

}  // namespace isthmus::inline ISTHMUS_ABI
