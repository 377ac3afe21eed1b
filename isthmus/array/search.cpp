// search.cpp: values of any dtypes to one that can be compared.
#include "isthmus/array/search.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index.h"
#include "isthmus/array/manipulate.h"
#include "isthmus/array/place.h"
#include "isthmus/array/positions.h"
#include "isthmus/array/take.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// In which both are compared: halves as what holds them.
DType compared_as(const char* who, const Array& x, const Value& values) {
  const Value both[] = {x, values};
  const DType dtype = result_type(who, both);
  check(dtype.is_builtin() && dtype.family != Family::complex, Errc::type,
        "{}: {} is in no order; bools, integers and reals are", who, dtype);
  return dtype.family == Family::real && dtype.lane_bits == 16 ? DType(TypeId::float32) : dtype;
}

Array searched(const char* who, const Array& x, const Value& values, bool is_right) {
  check(x.ndim() == 1, Errc::value, "{}: sorted elements of {} axes; one is needed", who, x.ndim());
  const InContextOf meanwhile(x);
  const DType dtype = compared_as(who, x, values);
  Array wanted =
      values.array ? astype(*values.array, dtype, false) : full({}, values, dtype, x.device(), who);
  return detail::search(who, contiguous(astype(x, dtype, false)), std::move(wanted), is_right);
}

}  // namespace

Array searchsorted(const Array& x, const Value& values, Side side,
                   const std::optional<Array>& sorter) {
  if (!sorter) return searched("searchsorted", x, values, side == Side::right);
  check(sorter->shape() == x.shape(), Errc::value,
        "searchsorted: sorter: shape {}, that of the elements is {}", sorter->shape(), x.shape());
  return searched("searchsorted", take(x, *sorter, 0), values, side == Side::right);
}

Array digitize(const Array& x, const Array& bins, bool right) {
  check(bins.ndim() == 1, Errc::value, "digitize: bins of {} axes; one is needed", bins.ndim());
  compared_as("digitize", bins, x);
  const std::int64_t count = bins.size();
  if (count < 2) return searched("digitize", bins, x, !right);
  const Array first = bins[slice({}, -1)], second = bins[slice(1)];
  if (all(first <= second).item<bool>()) return searched("digitize", bins, x, !right);
  check(all(first >= second).item<bool>(), Errc::value,
        "digitize: bins are in no order; ascending or descending ones are needed");
  return count - searched("digitize", flip(bins), x, !right);
}

}  // namespace isthmus::inline ISTHMUS_ABI
