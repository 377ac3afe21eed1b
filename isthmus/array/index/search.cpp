// search.cpp: values of any dtypes to one that can be compared.
#include "isthmus/array/index/search.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/calculated.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/core/axis_count.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// In which both are compared: halves as what holds them.
DType compared_as(const char* who, const Array& x, const Value& values) {
  const Value both[] = {x, values};
  const DType dtype = result_type(who, both);
  check(dtype.is_builtin() && dtype.family != Family::complex, Errc::type,
        "{}: {} cannot be ordered; bools, integers and reals can", who, dtype);
  return summing_dtype(dtype);
}

Array searched(const char* who, const Array& x, const Value& values, bool is_right) {
  check(x.ndim() == 1, Errc::value, "{}: sorted elements of {}; one is needed", who,
        detail::AxisCount(x.ndim()));
  const InContextOf meanwhile(x);
  const Value operands[] = {x, values};
  // an integer that the dtype does not hold is before or behind all elements
  if (const auto is_behind = known_answer(Op::less, operands))
    return full({}, *is_behind ? x.size() : 0, TypeId::int64, x.device());
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
        "searchsorted: sorter: shape {} differs from the elements' shape {}", sorter->shape(),
        x.shape());
  check(x.ndim() == 1, Errc::value, "searchsorted: elements of {}; one is needed",
        detail::AxisCount(x.ndim()));
  const InContextOf meanwhile(x);
  detail::LateIndexList late;
  const Array order =
      detail::checked_indices("searchsorted: sorter", *sorter, x.size(), 0, sorter->shape(), late);
  const Array sorted = detail::elements_at("searchsorted", x, guarded(order, late, false), 0);
  return searched("searchsorted", sorted, values, side == Side::right);
}

Array Array::searchsorted(const Value& values, Side side,
                          const std::optional<Array>& sorter) const {
  return isthmus::searchsorted(*this, values, side, sorter);
}

Array digitize(const Value& x, const Array& bins, Flag right) {
  check(bins.ndim() == 1, Errc::value, "digitize: bins of {}; one is needed",
        detail::AxisCount(bins.ndim()));
  compared_as("digitize", bins, x);
  const std::int64_t count = bins.size();
  if (count < 2) return searched("digitize", bins, x, !right);
  const Array first = bins[slice({}, -1)], second = bins[slice(1)];
  // NaN comes last, as in what sort() gives
  const auto is_sorted = [](const Array& a, const Array& b) {
    return all((a <= b) | (b != b)).item<bool>();
  };
  if (is_sorted(first, second)) return searched("digitize", bins, x, !right);
  check(is_sorted(second, first), Errc::value,
        "digitize: bins are not sorted; they must ascend or descend");
  return count - searched("digitize", flip(bins), x, !right);
}

}  // namespace isthmus::inline ISTHMUS_ABI
