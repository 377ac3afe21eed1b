// dtypes.h: in which dtype an operation is calculated, and which dtype it gives.
#pragma once

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether elements are integers, with a sign or without; bools are not.
inline bool is_integer(DType dtype) {
  return dtype.is_builtin() && (dtype.family == Family::integer || dtype.family == Family::natural);
}

/// The dtype in which a row calculates: integers become reals where the row wants that, and doubles
/// floats where the device has none and no operand asked for them. Throws type if one did.
/// `common`: of all operands together.
DType computing_type(const OpInfo& row, DType common, std::span<const Value> values,
                     const Device& device);

/// What the row gives where it calculates in `type`.
DType result_dtype(const OpInfo& row, DType type);

/// The dtype that holds all of these, of which there is one at least, in whatever order they come.
/// Each integer joins what has fractions by itself, as in NumPy: int8, uint16 and float32 have
/// float32, though int8 and uint16 alone have int32.
DType promote_all(std::span<const DType> dtypes);

/// A row of reductions.def and its dtypes.
struct ReductionTypes {
  Reduction row;  ///< In bools, which have no sums and products, any for sum and all for prod.
  DType type;     ///< Elements are cast to that before they are combined.
  DType given;    ///< Of the result.
};
/// Those for `x`, combined in `dtype` if that is given. Throws type unless the row takes the dtype,
/// and the device has it.
ReductionTypes reduction_types(std::string_view who, Reduction reduction, const Array& x,
                               std::optional<DType> dtype);

/// Throws type unless all elements can become a `dtype` on their device.
void check_astype(const Array& x, DType dtype);

}  // namespace isthmus::inline ISTHMUS_ABI
