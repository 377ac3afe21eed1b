// functions.cpp: functions that are no row, and the members of Array that are functions.
#include "isthmus/array/functions.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/literal.h"
#include "isthmus/array/manipulate.h"

namespace isthmus {

Array detail::apply_to_three(Op op, const Array& x, const Value& y, const Value& z) {
  if (op != Op::clip) return apply(op, {x, y, z});
  return apply(op, {x, within_range(y, x.dtype()), within_range(z, x.dtype())});
}

Array clip(const Array& x, std::nullopt_t, const Value& high) {
  return apply(Op::minimum, {x, within_range(high, x.dtype())});
}
Array clip(const Array& x, const Value& low, std::nullopt_t) {
  return apply(Op::maximum, {x, within_range(low, x.dtype())});
}

Array Array::astype(DType dtype, bool copy) const { return isthmus::astype(*this, dtype, copy); }
Array Array::to_device(const Device& device) const { return isthmus::to_device(*this, device); }
Array Array::copy() const { return isthmus::copy(*this); }
void Array::fill(const Value& value) const { assign(*this, value); }

Array Array::reshape(const Shape& shape, std::optional<bool> copy) const {
  return isthmus::reshape(*this, shape, copy);
}
Array Array::ravel() const { return isthmus::ravel(*this); }
Array Array::flatten() const { return isthmus::flatten(*this); }
Array Array::transpose() const { return isthmus::transpose(*this); }
Array Array::transpose(const Axes& axes) const { return permute_dims(*this, axes); }
Array Array::T() const {
  check(ndim() == 2, Errc::value, "T: an array of {} axes; T is for 2, use permute_dims or mT",
        ndim());
  return isthmus::transpose(*this);
}
Array Array::mT() const { return matrix_transpose(*this); }
Array Array::swapaxes(std::int64_t first, std::int64_t second) const {
  return isthmus::swapaxes(*this, first, second);
}
Array Array::squeeze(const AxisSet& axes) const { return isthmus::squeeze(*this, axes); }
Array Array::real() const { return real_view(*this); }
Array Array::imag() const { return imag_view(*this); }

Array Array::sum(const AxisSet& axes, bool keepdims, std::optional<DType> dtype) const {
  return isthmus::sum(*this, axes, keepdims, dtype);
}
Array Array::prod(const AxisSet& axes, bool keepdims, std::optional<DType> dtype) const {
  return isthmus::prod(*this, axes, keepdims, dtype);
}
Array Array::mean(const AxisSet& axes, bool keepdims, std::optional<DType> dtype) const {
  return isthmus::mean(*this, axes, keepdims, dtype);
}
Array Array::max(const AxisSet& axes, bool keepdims) const {
  return isthmus::max(*this, axes, keepdims);
}
Array Array::min(const AxisSet& axes, bool keepdims) const {
  return isthmus::min(*this, axes, keepdims);
}
Array Array::any(const AxisSet& axes, bool keepdims) const {
  return isthmus::any(*this, axes, keepdims);
}
Array Array::all(const AxisSet& axes, bool keepdims) const {
  return isthmus::all(*this, axes, keepdims);
}
Array Array::clip(const std::optional<Value>& low, const std::optional<Value>& high) const {
  if (low && high) return isthmus::clip(*this, *low, *high);
  if (low) return isthmus::clip(*this, *low, std::nullopt);
  return high ? isthmus::clip(*this, std::nullopt, *high) : copy();
}
Array Array::round(int decimals) const { return round_to(*this, decimals); }
Array Array::conj() const { return isthmus::conj(*this); }

}  // namespace isthmus
