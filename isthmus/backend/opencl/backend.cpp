// backend.cpp: any OpenCL device behind the backend interface; the work is the driver layer's.
#include "isthmus/runtime/backend.h"

#include "isthmus/backend/opencl/devices.h"
#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/kernel.h"
#include "isthmus/runtime/devices/recent.h"

namespace isthmus::opencl {

static ClContext& native(BackendContext& context) {
  auto* own = dynamic_cast<ClContext*>(&context);
  check(own, Errc::exchange, "opencl: {} is of another backend", context.name);
  return *own;
}

/// Only this backend makes queues of its devices; a dynamic_cast costs a hundredth of a launch.
static ClQueue& native(BackendQueue& queue) {
  check(queue.context->device.backend() == "opencl", Errc::exchange,
        "opencl: a queue of {} cannot run this", queue.context->device);
  return static_cast<ClQueue&>(queue);
}

class OpenclBackend final : public Backend {
 public:
  std::string_view name() const override { return "opencl"; }
  int device_count() override { return static_cast<int>(devices().size()); }
  const DeviceInfo& describe(int device) override { return device_at(device).info; }
  int find_device(std::string_view selector) override {
    const bool is_index = !selector.empty() && selector[0] >= '0' && selector[0] <= '9';
    return is_index ? Backend::find_device(selector) : opencl::find_device(selector);
  }
  int dlpack_type() const override { return 4; }
  std::string cache_key(int device) override { return driver::cache_key(device_at(device)); }

  Ref<BackendContext> default_context(int device) override {
    return opencl::default_context(device);
  }
  Ref<BackendQueue> default_queue(int device) override { return opencl::default_queue(device); }
  Ref<BackendQueue> make_queue(const Ref<BackendContext>& context) override {
    ClContext& own = native(*context);
    const auto handle = driver::make_queue(own);
    auto queue = make_ref<ClQueue>(Ref<ClContext>::share(&own), handle.get());
    queue->is_private = true;
    return queue;
  }
  Ref<BackendContext> adopt_context(std::uintptr_t handle) override {
    const auto context = reinterpret_cast<cl_context>(handle);
    return contexts_.get(context, [&] {
      driver::check_handle("a cl_context", handle);
      return context_of(context, nullptr);
    });
  }
  Ref<BackendContext> context_in(std::uintptr_t space) override {
    try {
      return adopt_context(space);
    } catch (const Error& error) {
      if (error.code() == Errc::exchange) return nullptr;  // it is not the cl_context of anything
      throw;
    }
  }
  Ref<BackendQueue> adopt_queue(std::uintptr_t handle) override {
    const auto queue = reinterpret_cast<cl_command_queue>(handle);
    return queues_.get(queue, [&] {
      check_queue(handle);
      return wrap(queue);
    });
  }
  void check_queue(std::uintptr_t handle) override {
    driver::check_handle("a cl_command_queue", handle);
  }
  void check_buffer(std::uintptr_t handle) override { driver::check_handle("a cl_mem", handle); }
  Ref<Event> adopt_event(std::uintptr_t handle) override {
    driver::check_handle("a cl_event", handle);
    const Unblocked unblocked;  // once for both calls
    const auto event = reinterpret_cast<cl_event>(handle);
    const driver::Api& api = driver::api_of(event);
    const auto context = driver::ask<cl_context>("clGetEventInfo", api.clGetEventInfo, event,
                                                 cl_event_info{CL_EVENT_CONTEXT});
    driver::invoke("clRetainEvent", api.clRetainEvent, event);
    return make_ref<driver::ClEvent>(api, reinterpret_cast<std::uintptr_t>(context),
                                     driver::Owned(api.clReleaseEvent, event));
  }
  std::uintptr_t export_event(Event& event) override { return driver::export_event(event); }
  std::uintptr_t export_context(BackendContext& context) override {
    const ClContext& own = native(context);
    driver::invoke("clRetainContext", own.api().clRetainContext, own.handle);
    return own.native;
  }
  std::uintptr_t export_queue(BackendQueue& queue) override {
    const ClQueue& own = native(queue);
    driver::invoke("clRetainCommandQueue", own.api().clRetainCommandQueue, own.handle);
    return queue_handle(queue);
  }
  std::uintptr_t queue_handle(BackendQueue& queue) override {
    queue.is_private = false;
    return native(queue).native;
  }
  void drop_context(std::uintptr_t handle) noexcept override {
    const auto context = reinterpret_cast<cl_context>(handle);
    call_to_release([&] { driver::api_of(context).clReleaseContext(context); });
  }
  void drop_queue(std::uintptr_t handle) noexcept override {
    const auto queue = reinterpret_cast<cl_command_queue>(handle);
    call_to_release([&] { driver::api_of(queue).clReleaseCommandQueue(queue); });
  }

  Ref<BackendMemory> allocate(const Ref<BackendContext>& context, int, std::size_t bytes,
                              MemoryKind kind) override {
    native(*context);
    return driver::allocate(context, bytes, kind);
  }
  PointerInfo query(BackendContext& context, std::uintptr_t address) override {
    return driver::query(native(context), address);
  }
  PointerInfo query_buffer(BackendContext& context, std::uintptr_t handle) override {
    return driver::query_buffer(native(context), handle);
  }
  Ref<BackendContext> context_of_buffer(std::uintptr_t handle) override {
    check_buffer(handle);
    return adopt_context(driver::context_of_buffer(handle));
  }
  void hold_buffer(std::uintptr_t handle) override {
    const auto buffer = reinterpret_cast<cl_mem>(handle);
    driver::invoke("clRetainMemObject", driver::api_of(buffer).clRetainMemObject, buffer);
  }
  void drop_buffer(std::uintptr_t handle) noexcept override {
    const auto buffer = reinterpret_cast<cl_mem>(handle);
    call_to_release([&] { driver::api_of(buffer).clReleaseMemObject(buffer); });
  }
  bool can_adopt(BackendContext& context, const BackendMemory& memory) override {
    return driver::can_adopt(native(context), memory);
  }

  const Traits& traits(int device) override { return device_at(device).traits; }
  Compiled compile(BackendContext& context, int, const KernelText& text) override {
    return driver::compile(Ref<ClContext>::share(&native(context)), text);
  }
  Ref<Kernel> load(BackendContext& context, int, const KernelText& text,
                   std::string_view binary) override {
    return driver::load(Ref<ClContext>::share(&native(context)), text, binary);
  }
  Ref<Event> enqueue(BackendQueue& queue, Kernel& kernel, std::span<const KernelCall> calls,
                     std::span<const Ref<Event>> waits) override {
    check(driver::is_cl_kernel(kernel), Errc::launch, "opencl: the kernel is of another backend");
    return driver::enqueue(native(queue), static_cast<driver::ClKernel&>(kernel), calls, waits);
  }
  Ref<Event> copy(BackendQueue& queue, BackendMemory& from, std::size_t from_byte,
                  BackendMemory& to, std::size_t to_byte, std::size_t bytes,
                  std::span<const Ref<Event>> waits) override {
    return driver::copy(native(queue), from, from_byte, to, to_byte, bytes, waits);
  }
  Ref<Event> barrier(BackendQueue& queue, std::span<const Ref<Event>> waits) override {
    return driver::barrier(native(queue), waits);
  }
  void finish(BackendQueue& queue) noexcept override { driver::finish(native(queue)); }
  const void* library(int, std::string_view) override { return nullptr; }

 private:
  static Ref<ClQueue> wrap(cl_command_queue queue) {
    const driver::Api& api = driver::api_of(queue);
    const auto get = [&]<class T>(T answer, cl_command_queue_info what) {
      const cl_int status = call("clGetCommandQueueInfo", [&] {
        return api.clGetCommandQueueInfo(queue, what, sizeof answer, &answer, nullptr);
      });
      check(status != CL_INVALID_COMMAND_QUEUE, Errc::exchange,
            "opencl: {} is not a cl_command_queue", static_cast<const void*>(queue));
      if (status != CL_SUCCESS) driver::fail_with("clGetCommandQueueInfo", status);
      return answer;
    };
    // PoCL reads any object as the queue that it is said to be: until what it gives is known,
    // nobody may look into that.
    const auto device = get(cl_device_id{}, CL_QUEUE_DEVICE);
    check(is_listed(device), Errc::exchange,
          "opencl: {} is not a cl_command_queue of a device that this library lists (sub-devices "
          "are not)",
          static_cast<const void*>(queue));
    const auto context = get(cl_context{}, CL_QUEUE_CONTEXT);
    const bool is_handle = driver::is_handle(reinterpret_cast<std::uintptr_t>(context));
    cl_uint count = 0;
    const cl_int status = !is_handle ? CL_INVALID_CONTEXT : call("clGetContextInfo", [&] {
      return api.clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr);
    });
    check(status != CL_INVALID_CONTEXT, Errc::exchange,
          "opencl: the queue's context has been released; keep the Context as long as the queue, "
          "because a queue does not keep it on every runtime");
    if (status != CL_SUCCESS) driver::fail_with("clGetContextInfo", status);
    return make_ref<ClQueue>(context_of(context, device), queue);
  }

  Recent<cl_context, ClContext> contexts_;
  Recent<cl_command_queue, ClQueue> queues_;
};

}  // namespace isthmus::opencl

extern "C" const isthmus::BackendModule isthmus_backend = {
    isthmus::backend_interface,
    []() -> isthmus::Backend* { return new isthmus::opencl::OpenclBackend; }};
