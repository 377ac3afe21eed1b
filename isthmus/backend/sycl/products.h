// products.h: products of matrices by oneMKL, where its library for SYCL is.
#pragma once

#include "isthmus/runtime/libraries/device_blas.h"

namespace isthmus::sycl_usm {

/// What SyclBackend::library(device, device_blas_capability) gives.
extern const DeviceBlas mkl;

}  // namespace isthmus::sycl_usm
