// devices.h: SYCL's devices, and the OpenCL device below each that has one.
#pragma once

#include <sycl/sycl.hpp>

#include "isthmus/opencl_driver/objects.h"

namespace isthmus::sycl_usm {

/// A device with USM. Never destroyed.
struct SyclDevice {
  sycl::device device;
  DeviceInfo info;
  /// Null where SYCL works through another driver.
  const driver::ClDevice* below = nullptr;
  bool is_cpu = false;
  Traits traits{};  ///< Of texts in SYCL's own language; those of OpenCL C are below.
};

/// All root devices with USM: GPUs, then others, then CPUs. Asked once.
const std::vector<const SyclDevice*>& devices();
/// Throws device_not_found.
const SyclDevice& device_at(int index);
/// -1 if it is none of them, as a sub-device is.
int index_of(const sycl::device& device);
/// The device of a filter selector: "gpu:1", "opencl:cpu:0", or an index. Throws device_not_found.
int find_device(std::string_view selector);

/// As dpctl and PyTorch count devices for DLPack: their place among all root devices that SYCL's
/// default selector does not refuse.
int dlpack_number(int device);
int device_of_dlpack_number(int number);

/// Calls SYCL; its exceptions become Error.
template <class F>
decltype(auto) sycl_call(const char* name, F&& f) {
  try {
    return call(name, std::forward<F>(f));
  } catch (const sycl::exception& error) {
    const bool is_memory = error.code() == sycl::errc::memory_allocation;
    const bool is_build = error.code() == sycl::errc::build;
    fail(is_memory  ? Errc::out_of_memory
         : is_build ? Errc::compile
                    : Errc::launch,
         "{}: {}", name, error.what());
  }
}

}  // namespace isthmus::sycl_usm
