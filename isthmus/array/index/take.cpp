// take.cpp: take and put, by the choice of elements that they make.
#include "isthmus/array/index/take.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/choice.h"
#include "isthmus/array/index/positions.h"
#include "isthmus/array/place.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/core/axis_count.h"
#include "isthmus/runtime/evaluate/put_off.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::AxisCount;
using detail::Choice;
using detail::Chosen;

namespace {

/// Indices of all elements in row-major order.
Choice in_row(const Array& x, const Array& indices, Outside outside) {
  Choice choice;
  const Layout& layout = x.layout();
  choice.kept.offset = layout.offset;
  choice.chosen.push_back({indices, layout.shape, layout.strides, 0, outside, false});
  return choice;
}

/// Indices along one axis and each place of the other axes, which broadcast.
Choice at_each_place(const char* who, const Array& x, const Array& indices,
                     std::optional<std::int64_t> axis) {
  check_integers(who, indices);
  if (!axis) {
    check(indices.ndim() == 1, Errc::value, "{}: indices of {}; without an axis one is needed", who,
          AxisCount(indices.ndim()));
    return in_row(x, indices, Outside::raise);
  }
  const int at = detail::checked_axis(who, *axis, x.ndim());
  check(indices.ndim() == x.ndim(), Errc::value, "{}: indices of {} for an array of {}", who,
        AxisCount(indices.ndim()), AxisCount(x.ndim()));
  Choice choice;
  choice.kept.offset = x.layout().offset;
  for (int i = 0; i < x.ndim(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::int64_t length = x.shape()[k], stride = x.layout().strides[k];
    if (i == at) {
      choice.chosen.push_back({indices, Dims{length}, Dims{stride}, i, Outside::raise, false});
      continue;
    }
    const std::int64_t given = indices.shape()[k];
    check(given == length || given == 1 || length == 1, Errc::value,
          "{}: shapes {} and {} cannot be broadcast together: axis {} has {} and {}", who,
          x.shape(), indices.shape(), i, length, given);
    if (length == 1) continue;
    Shape shape(Dims(static_cast<std::size_t>(x.ndim()), 1));
    shape[k] = length;
    choice.chosen.push_back(
        {index_along(shape, i, x.device()), Dims{length}, Dims{stride}, i, Outside::raise, true});
  }
  return choice;
}

}  // namespace

Array take(const Array& x, const Array& indices, OptionalInteger axis, Outside outside) {
  check_integers("take", indices);
  if (!axis) return detail::read("take", x, in_row(x, indices, outside));
  const int at = detail::checked_axis("take", *axis, x.ndim());
  return detail::read("take", x, detail::along_axis(x, indices, at, outside));
}

Array take_along_axis(const Array& x, const Array& indices, OptionalInteger axis) {
  const InContextOf meanwhile(x);
  return detail::read("take_along_axis", x, at_each_place("take_along_axis", x, indices, axis));
}

void put(const Array& x, const Array& indices, const Value& values, Outside outside) {
  check_integers("put", indices);
  const Choice choice = in_row(x, indices, outside);
  if (!values.array || values.array->size() == 1) {
    if (!values.array) return detail::write("put", x, choice, values);
    return detail::write("put", x, choice, reshape(*values.array, {}));
  }
  const std::int64_t given = values.array->size(), wanted = indices.size();
  if (given == 0) return;
  const Array row = reshape(detail::brought_to(x, *values.array), {given});
  if (given == wanted) return detail::write("put", x, choice, reshape(row, indices.shape()));
  const InContextOf meanwhile(x);
  const Array again = take(row, arange(wanted, TypeId::int64, x.device()), 0, Outside::wrap);
  detail::write("put", x, choice, reshape(again, indices.shape()));
}

void put_along_axis(const Array& x, const Array& indices, const Value& values,
                    OptionalInteger axis) {
  const InContextOf meanwhile(x);
  detail::write("put_along_axis", x, at_each_place("put_along_axis", x, indices, axis), values);
}

Array Array::take(const Array& indices, OptionalInteger axis, Outside outside) const {
  return isthmus::take(*this, indices, axis, outside);
}
void Array::put(const Array& indices, const Value& values, Outside outside) const {
  isthmus::put(*this, indices, values, outside);
}

}  // namespace isthmus::inline ISTHMUS_ABI
