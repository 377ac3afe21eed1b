// device_product.h: products of matrices by a kernel in a device's local memory.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The product of (..., m, k) and (..., k, n), of one dtype and evaluated, by a tiled kernel on
/// their device; `shape` is that of the result. Operands are read where they lie. On its way when
/// this returns, unless others may look at its memory. Nothing for few numbers, and on devices that
/// run no kernels of users or have too small groups. Throws as a launch does.
std::optional<Array> multiply_on_device(std::string_view who, const Array& x, const Array& y,
                                        const Shape& shape);

}  // namespace isthmus::inline ISTHMUS_ABI
