// device_blas.cpp: which library of a vendor's multiplies on a device.
#include "isthmus/runtime/libraries/device_blas.h"

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/settings.h"

namespace isthmus::inline ISTHMUS_ABI {

const DeviceBlas* device_blas(const Device& device) {
  return static_cast<const DeviceBlas*>(
      backend(device).library(device.index(), device_blas_capability));
}

std::string blas_library(const Device& device) {
  const DeviceBlas* const found = device_blas(device);
  return found ? found->name() : std::string();
}

}  // namespace isthmus::inline ISTHMUS_ABI
