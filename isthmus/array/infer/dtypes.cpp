// dtypes.cpp: the rules of promotion beside the table of core/dtype.cpp.
#include "isthmus/array/infer/dtypes.h"

#include <algorithm>

#include "isthmus/array/apply.h"
#include "isthmus/array/calculated.h"
#include "isthmus/array/infer/literal.h"
#include "isthmus/array/refuse.h"
#include "isthmus/core/record_field.h"
#include "isthmus/runtime/devices/registry.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// The real dtype that holds each operand, which may be smaller than that for their common one:
/// float16 for int8 and uint8, as in NumPy. Where all but ints without a dtype are bools it is
/// `of_common`, that for the common dtype: such an int makes it int64.
DType floating_for_all(std::span<const Value> values, DType of_common) {
  std::optional<DType> type;
  bool are_bools = true;
  for (const Value& value : values) {
    if (!value.array && value.is_weak) continue;
    const DType dtype = value.array ? value.array->dtype() : value.scalar.dtype;
    const DType own = floating_for(dtype);
    type = type ? promote(*type, own) : own;
    are_bools = are_bools && dtype.family == Family::boolean;
  }
  return are_bools ? of_common : *type;
}

DType accumulator(const ReductionInfo& row, DType dtype) {
  if (row.rule == AccumulateRule::boolean) return TypeId::bool_;
  if (row.rule != AccumulateRule::widen) return dtype;
  switch (dtype.family) {
    case Family::boolean:
    case Family::integer: return TypeId::int64;
    case Family::natural: return TypeId::uint64;
    default: return dtype;
  }
}

/// NumPy's sum and product of bools, if they are not counted: whether any or all are true.
Reduction combined_in(DType type, Reduction reduction) {
  if (type != DType(TypeId::bool_)) return reduction;
  return reduction == Reduction::sum    ? Reduction::any
         : reduction == Reduction::prod ? Reduction::all
                                        : reduction;
}

/// Throws type unless the row takes the dtype, and the device has it.
void check_row(std::string_view who, const ReductionInfo& row, const Array& x, DType type) {
  if (!x.dtype().is_builtin() || !row.accepts(type.family))
    fail(Errc::type, "{}: does not accept {}{}", who, x.dtype().is_builtin() ? type : x.dtype(),
         accepted_by(row));
  if (type == x.dtype() && x.device().is_host()) return;
  if (row.rule != AccumulateRule::boolean) check_cast(who, x.dtype(), type);
  check(has_dtype(x.device(), type), Errc::type, "{}: {} has no {}; use float32", who, x.device(),
        type);
}

}  // namespace

DType computing_type(const OpInfo& row, DType common, std::span<const Value> values,
                     const Device& device) {
  DType type = common;
  if (row.promotes_integers()) {
    type = floating_for(common);
    if (type != common) type = floating_for_all(values, type);
  }
  if (type != common && row.promotes == Promotes::float64) type = TypeId::float64;
  if (has_dtype(device, type)) return type;
  for (const Value& value : values)
    check(!value.array || has_dtype(device, value.array->dtype()), Errc::type,
          "{}: {} has no {}; use float32", row.name, device, type);
  return type.family == Family::complex ? TypeId::complex64 : TypeId::float32;
}

[[gnu::hot]] DType result_dtype(const OpInfo& row, DType type) {
  switch (row.rule) {
    case ResultRule::same: return type;
    case ResultRule::boolean: return TypeId::bool_;
    case ResultRule::real_part: return real_part(type);
    case ResultRule::int32: return TypeId::int32;
  }
  return type;
}

[[gnu::hot]] ReductionTypes reduction_types(std::string_view who, Reduction reduction,
                                            const Array& x, std::optional<DType> dtype) {
  const DType type = dtype.value_or(accumulator(info(reduction), x.dtype()));
  const Reduction combined = combined_in(type, reduction);
  const ReductionInfo& row = info(combined);
  check_row(who, row, x, type);
  return {combined, type, row.rule == AccumulateRule::index ? DType(TypeId::int64) : type};
}

void check_astype(const Array& x, DType dtype) {
  check(detail::can_become(x.dtype(), dtype), Errc::type, "astype: a {} cannot become a {}",
        x.dtype(), dtype);
  check_cast("astype", x.dtype(), dtype);
  check(has_dtype(x.device(), dtype), Errc::type, "astype: {} has no {}; use float32", x.device(),
        dtype);
}

bool has_dtype(const Device& device, DType dtype) {
  if (real_part(dtype).id != TypeId::float64 || device.is_host()) return true;
  return backend(device).describe(device.index()).has_fp64;
}

DType default_real(const Device& device) {
  return has_dtype(device, TypeId::float64) ? TypeId::float64 : TypeId::float32;
}

DType promote_all(std::span<const DType> dtypes) {
  const auto has_none = [](DType t) { return t.is_builtin() && !has_fractions(t); };
  const auto first = std::ranges::find_if_not(dtypes, has_none);
  DType common = first == dtypes.end() ? dtypes.front() : *first;
  for (const DType dtype : dtypes)
    if (!has_none(dtype)) common = promote(common, dtype);
  for (const DType dtype : dtypes)
    if (has_none(dtype)) common = promote(common, dtype);
  return common;
}

DType result_type(std::string_view who, std::span<const Value> values) {
  if (values.size() == 2 && values[0].array && values[1].array &&
      values[0].array->dtype() == values[1].array->dtype())
    return values[0].array->dtype();
  SmallVector<DType, 4> strong;
  for (const Value& value : values)
    if (value.array || !value.is_weak)
      strong.push_back(value.array ? value.array->dtype() : value.scalar.dtype);
  check(!strong.empty(), Errc::type, "{}: needs an array or a dtype among its operands", who);
  for (const DType dtype : strong)
    check(detail::can_become(dtype, strong[0]), Errc::promotion,
          "{}: {} and {} have no common dtype; records can be moved, but not calculated with", who,
          strong[0], dtype);
  DType dtype = strong.size() == 1   ? strong[0]
                : strong.size() == 2 ? promote(strong[0], strong[1])
                                     : promote_all(strong);
  for (const Value& value : values)
    if (!value.array && value.is_weak) dtype = with_literal(who, dtype, value);
  return dtype;
}

}  // namespace isthmus::inline ISTHMUS_ABI
