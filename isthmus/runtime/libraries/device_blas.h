// device_blas.h: a library of a device's vendor that multiplies matrices on its queues.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "isthmus/host/product.h"
#include "isthmus/runtime/backend.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Matrices of one operand, as a BLAS reads the first one: elements from the start of the memory,
/// and from one matrix to the next.
struct DeviceMatrices {
  BackendMemory* memory = nullptr;
  std::int64_t first = 0, step = 0, stride = 0;
  bool is_transposed = false;
};

/// `count` products of one shape, one after another into `out`, which is dense.
struct DeviceProducts {
  TypeId type = TypeId::float32;
  ProductShape shape;
  std::int64_t count = 1;
  DeviceMatrices x, y;
  BackendMemory* out = nullptr;
};

/// What Backend::library(device, device_blas_capability) gives.
inline constexpr const char* device_blas_capability = "device.blas";
struct DeviceBlas {
  /// Whether it is there and has products of this type. The first call looks for it.
  bool (*takes)(TypeId type);
  /// The file that it is in; empty if it is not there.
  std::string (*name)();
  /// As Backend::enqueue.
  Ref<Event> (*multiply)(BackendQueue& queue, const DeviceProducts& products,
                         std::span<const Ref<Event>> waits);
};
/// Null if the device's backend knows none, or its name is empty if it is not there.
ISTHMUS_EXPORT const DeviceBlas* device_blas(const Device& device);

}  // namespace isthmus::inline ISTHMUS_ABI
