// contract.h: what all products of arrays are made of.
#pragma once

#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The dtype that both have in common, which the device has. Throws promotion, type,
/// device_mismatch.
DType product_dtype(std::string_view who, const Array& x, const Array& y);
DType product_dtype(std::string_view who, std::span<const Array> operands);

/// Elements added up over some axes, in `dtype`: bools by "or", halves in float32, rounded once.
Array sum_up(Array x, const AxisSet& axes, DType dtype);

/// sum(x * y) over some axes of what both broadcast to, in `dtype`: one kernel, also over shared
/// memory and in eager mode; products are not written to memory. Pending, unless one of these.
Array sum_of_products(std::string_view who, const Array& x, const Array& y, const AxisSet& axes,
                      DType dtype);

/// matmul() in the name of another function.
Array matmul_as(std::string_view who, const Array& x, const Array& y);

}  // namespace isthmus::inline ISTHMUS_ABI
