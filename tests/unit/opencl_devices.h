// opencl_devices.h: handles of OpenCL that a user would bring, on every device that is found.
#pragma once

#include "isthmus/opencl_driver/opencl.h"
#include "isthmus/opencl_driver/owned.h"
#include "isthmus/runtime/libraries/vendor.h"
#include "support.h"

namespace isthmus {

/// The devices of a backend; none, and the reason, where no driver is found.
struct DevicesOf {
  std::vector<Device> devices;
  std::string reason;
  explicit DevicesOf(std::string_view name) {
    add_vendor_folder(ISTHMUS_TEST_VENDOR);
    set_up_vendor_runtimes();
    try {
      for (int i = 0; i < backend(name).device_count(); ++i) devices.emplace_back(name, i);
    } catch (const Error& error) {
      reason = error.what();
    }
  }
};

/// Gives all memory back that nobody holds, so that a census counts the rest.
inline void tidy(const Device& device) {
  synchronize(device);
  eventually([] { return reaper_backlog() == 0; });
  trim_pool(device);
}

template <class T>
const driver::Api& api_of(T* handle) {
  return **reinterpret_cast<const driver::Api* const*>(handle);
}

inline cl_context cl_context_of(const BackendContext& context) {
  return reinterpret_cast<cl_context>(context.space);
}

inline cl_device_id cl_device_of(cl_context context) {
  return driver::ask<cl_device_id>("clGetContextInfo", api_of(context).clGetContextInfo, context,
                                   cl_context_info{CL_CONTEXT_DEVICES});
}

/// A user's queue.
inline driver::Owned<cl_command_queue> make_cl_queue(cl_context context, bool is_in_order) {
  const driver::Api& api = api_of(context);
  const cl_command_queue_properties wanted =
      is_in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  return driver::Owned(api.clReleaseCommandQueue,
                       driver::make("clCreateCommandQueue", api.clCreateCommandQueue, context,
                                    cl_device_of(context), wanted));
}

inline cl_uint references(cl_context context) {
  return driver::ask<cl_uint>("clGetContextInfo", api_of(context).clGetContextInfo, context,
                              cl_context_info{CL_CONTEXT_REFERENCE_COUNT});
}
inline cl_uint references(cl_command_queue queue) {
  return driver::ask<cl_uint>("clGetCommandQueueInfo", api_of(queue).clGetCommandQueueInfo, queue,
                              cl_command_queue_info{CL_QUEUE_REFERENCE_COUNT});
}

}  // namespace isthmus
