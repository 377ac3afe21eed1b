// symmetric.h: products of a matrix with its own transpose, in half of the multiplications.
#pragma once

#include "isthmus/core/dtype.h"
#include "isthmus/host/product.h"
#include "isthmus/runtime/libraries/library.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether y is the transpose of x, in the same memory.
bool is_own_transpose(const ProductShape& shape, const Matrix& x, const Matrix& y);

/// out = x x^T, row-major and dense, by a library that adds symmetric products. `most_of_call`: the
/// multiplications that one call of it may be given, between which interrupts are heard.
void multiply_symmetric(const Blas& blas, TypeId type, const ProductShape& shape, const Matrix& x,
                        void* out, std::int64_t most_of_call);

}  // namespace isthmus::inline ISTHMUS_ABI
