// host_product.h: products of matrices in memory of the host.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The product of (..., m, k) and (..., k, n), of one dtype and evaluated, by a BLAS in memory that
/// the host reaches; `shape` is that of the result. Waits for both. Nothing if this is no case for
/// a BLAS. Throws what work on the operands has thrown, device_mismatch, out_of_memory.
std::optional<Array> multiply_on_host(std::string_view who, const Array& x, const Array& y,
                                      const Shape& shape);

}  // namespace isthmus::inline ISTHMUS_ABI
