// device.cpp: what a device says of itself.
#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/objects.h"

namespace isthmus::driver {

using detail::format;

namespace {

struct Questions {
  const Api& api;
  cl_device_id id;

  template <class T>
  T number(cl_device_info what) const {
    return ask<T>("clGetDeviceInfo", api.clGetDeviceInfo, id, what);
  }
  std::string text(cl_device_info what) const {
    return ask_text("clGetDeviceInfo", api.clGetDeviceInfo, id, what);
  }
};

}  // namespace

ClDevice describe(cl_device_id id) {
  const Platform& platform = platform_of(id);
  const Questions ask{platform.api, id};
  const std::string extensions = ask.text(CL_DEVICE_EXTENSIONS);
  const auto has = [&](const char* name) { return extensions.find(name) != std::string::npos; };
  ClDevice device{id, platform, {}, {}};
  DeviceInfo& info = device.info;
  info.name = ask.text(CL_DEVICE_NAME);
  info.driver = format("{}, {}, driver {}", platform.name, ask.text(CL_DEVICE_VERSION),
                       ask.text(CL_DRIVER_VERSION));
  info.memory_bytes = ask.number<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  info.largest_allocation = ask.number<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.has_fp64 = has("cl_khr_fp64");
  info.has_fp16 = has("cl_khr_fp16");
  const auto type = ask.number<cl_device_type>(CL_DEVICE_TYPE);
  device.is_cpu = type & CL_DEVICE_TYPE_CPU;
  device.kind = device.is_cpu ? "cpu" : type & CL_DEVICE_TYPE_GPU ? "gpu" : "accelerator";
  device.traits.has_fp64 = info.has_fp64;
  device.traits.is_cpu = device.is_cpu;
  device.traits.largest_group =
      static_cast<int>(ask.number<std::size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE));
  device.traits.local_bytes = ask.number<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  device.traits.has_barriers =
      !device.is_cpu || !platform.name.starts_with("Portable Computing Language");
  device.buffer_alignment = ask.number<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  device.has_usm = platform.usm && has("cl_intel_unified_shared_memory");
  cl_device_svm_capabilities svm = 0;  // an OpenCL 1 driver does not know the question
  platform.api.clGetDeviceInfo(id, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
  device.has_coarse_svm = svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  info.has_shared_buffers = device.is_cpu && (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
  info.has_system_memory = svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  info.has_unified_memory = device.is_cpu && (device.has_usm || info.has_shared_buffers);
  device.begins_unasked = device.waiters_work = device.is_cpu && platform.name.starts_with("Intel");
  if (device.has_usm)
    info.kinds = {MemoryKind::device, MemoryKind::shared, MemoryKind::host, MemoryKind::buffer};
  else
    info.kinds = {MemoryKind::buffer};
  if (!device.has_usm && device.has_coarse_svm) info.kinds.push_back(MemoryKind::shared);
  return device;
}

}  // namespace isthmus::driver
