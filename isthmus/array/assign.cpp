// assign.cpp: writing elements in place.
#include "isthmus/array/array.h"
#include "isthmus/array/literal.h"
#include "isthmus/array/place.h"
#include "isthmus/runtime/fusing.h"

namespace isthmus {

void assign(const Array& target, const Value& value) {
  check(!target.is_read_only(), Errc::value,
        "setitem: the array is read-only (a broadcast, or read-only memory); copy it first");
  Operand operand;
  if (value.array) {
    const DType from = value.array->dtype();
    check(from == target.dtype() || (from.is_builtin() && target.dtype().is_builtin()), Errc::type,
          "setitem: a {} cannot become a {}", from, target.dtype());
    if (from.is_builtin()) check_cast("setitem", from, target.dtype());
    // cast where it comes from: the target's device may not have that dtype
    const Array source =
        value.array->device() == target.device()
            ? *value.array
            : to_device(astype(*value.array, target.dtype(), false), target.device());
    // NumPy drops leading axes of length 1 of what is assigned
    Layout layout = source.layout();
    while (layout.ndim() > target.ndim() && layout.shape[0] == 1) {
      layout.shape.erase(0);
      layout.strides.erase(0);
    }
    check_same_context("setitem", *target.storage(), *source.storage());
    detail::show(operand, "setitem", source.view(layout), target.shape());
  } else {
    check(target.dtype().is_builtin(), Errc::type, "setitem: a number cannot become a {}",
          target.dtype());
    check_fits("setitem", value, target.dtype());
    operand.kind = Operand::Kind::scalar;
    operand.scalar = value.scalar;
  }
  write(target.storage(), target.layout(), std::move(operand));
}

const Array& Array::operator=(const Value& value) && {
  assign(*this, value);
  return *this;
}

/// What a family can hold without loss of kind: each one those before it.
static int rank(DType dtype) {
  constexpr int ranks[] = {0, 2, 1, 3, 4, 5};
  return ranks[static_cast<int>(dtype.family)];
}

const Array& apply_in_place(Op op, const Array& target, const Value& value) {
  check(!target.is_read_only(), Errc::value,
        "{}: in place: the array is read-only (a broadcast, or read-only memory); write x = x ... "
        "instead",
        info(op).name);
  // the write below runs at once, so that even what shared memory holds can be fused with it
  const Fusing fusing;
  const Array result = apply(op, {target, value});
  const std::string_view who = info(op).name;
  check(rank(result.dtype()) <= rank(target.dtype()), Errc::type,
        "{}: the result is {} and does not fit the array's {}; write x = x ... instead", who,
        result.dtype(), target.dtype());
  check(result.shape() == target.shape(), Errc::value,
        "{}: the result has shape {} and does not fit the array's {}", who, result.shape(),
        target.shape());
  assign(target, result);
  return target;
}

}  // namespace isthmus
