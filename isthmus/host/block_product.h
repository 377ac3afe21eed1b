// block_product.h: products of matrices in blocks that caches hold, on several threads.
#pragma once

#include <span>

#include "isthmus/host/product.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// run_products() of host_executor.h by the functions of one instruction set.
void run_products(const ProductTable& products, TypeId type, const StridedProduct& product,
                  std::span<const ProductPlace> places);

}  // namespace isthmus::inline ISTHMUS_ABI::host
