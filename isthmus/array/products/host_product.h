// host_product.h: products of matrices in memory of the host.
#pragma once

#include <optional>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The product of (..., m, k) and (..., k, n), of one dtype and evaluated, in memory that the host
/// reaches: by a BLAS, or by blocks of our own where that has not the dtype. `shape` is that of the
/// result. Waits for both. Nothing for few numbers, products with vectors that a BLAS does not
/// take, and memory out of reach. May be interrupted. Throws what work on the operands has thrown,
/// device_mismatch, out_of_memory.
std::optional<Array> multiply_on_host(std::string_view who, const Array& x, const Array& y,
                                      const Shape& shape);

/// sum(x[k + i] * y[i]) for each k that lets all i be inside, where both are dense and of one axis,
/// x the longer one: on all threads, in the order of ProductTable. Waits for both. Nothing for
/// dtypes other than float32 and float64, and for memory out of reach. May be interrupted. Throws
/// as multiply_on_host().
std::optional<Array> slide_on_host(std::string_view who, const Array& x, const Array& y);

}  // namespace isthmus::inline ISTHMUS_ABI
