// objects.cpp: handles retained and given back, and waiting for events.
#include "isthmus/opencl_driver/objects.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "isthmus/base/error.h"

namespace isthmus::driver {

namespace {

template <class T>
std::uintptr_t number_of(T* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

}  // namespace

ClContext::ClContext(Device device, cl_context handle, const ClDevice& on, std::string name,
                     std::uintptr_t native)
    : BackendContext(device, native ? native : number_of(handle), std::move(name),
                     number_of(handle)),
      handle(handle),
      on(on) {
  invoke("clRetainContext", api().clRetainContext, handle);
}

ClContext::~ClContext() {
  call_to_release([&] { api().clReleaseContext(handle); });
}

cl_command_queue ClContext::service() {
  return service_.get([&] { return std::make_unique<Owned<cl_command_queue>>(make_queue(*this)); })
      .get();
}

Owned<cl_command_queue> make_queue(const ClContext& context, cl_command_queue_properties wanted) {
  const Api& api = context.api();
  return Owned(api.clReleaseCommandQueue, make("clCreateCommandQueue", api.clCreateCommandQueue,
                                               context.handle, context.on.id, wanted));
}

static cl_command_queue_properties properties_of(const Api& api, cl_command_queue handle) {
  return ask<cl_command_queue_properties>("clGetCommandQueueInfo", api.clGetCommandQueueInfo,
                                          handle,
                                          static_cast<cl_command_queue_info>(CL_QUEUE_PROPERTIES));
}

ClQueue::ClQueue(Ref<ClContext> context, cl_command_queue handle, std::uintptr_t native)
    : ClQueue(context, handle, native, properties_of(context->api(), handle)) {}

ClQueue::ClQueue(const Ref<ClContext>& context, cl_command_queue handle, std::uintptr_t native,
                 cl_command_queue_properties properties)
    : BackendQueue(context, native ? native : number_of(handle),
                   !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)),
      handle(handle),
      takes_times(properties & CL_QUEUE_PROFILING_ENABLE) {
  invoke("clRetainCommandQueue", api().clRetainCommandQueue, handle);
}

ClQueue& ClQueue::timed() {
  return timed_.get([&] {
    const auto made = make_queue(cl(), CL_QUEUE_PROFILING_ENABLE);
    return std::make_unique<ClQueue>(Ref<ClContext>::share(&cl()), made.get());
  });
}

ClQueue::~ClQueue() {
  call_to_release([&] { api().clReleaseCommandQueue(handle); });
}

ClEvent::~ClEvent() {
  call_to_release([&] {
    api_.clReleaseEvent(handle);
    if (first_) api_.clReleaseEvent(first_);
  });
}

/// CL_COMPLETE, a larger number while it is pending, a negative one if it failed. An event of a
/// parent process has failed: nobody will ever end it.
cl_int ClEvent::status() noexcept {
  if (is_over_.load(std::memory_order_acquire)) return CL_COMPLETE;
  if (is_orphaned()) return CL_INVALID_EVENT;
  cl_int status = CL_QUEUED;
  const cl_int error = api_.clGetEventInfo(handle, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                           &status, nullptr);
  if (error != CL_SUCCESS) return error;
  if (status == CL_COMPLETE) is_over_.store(true, std::memory_order_release);
  return status;
}

bool ClEvent::is_done() noexcept { return status() <= CL_COMPLETE; }
bool ClEvent::has_failed() noexcept { return status() < CL_COMPLETE; }

void ClEvent::wait() {
  if (is_over_.load(std::memory_order_acquire)) return;
  const cl_int waited = call("clWaitForEvents", [&] {
    // Intel's driver does here what nobody has begun, but sleeps for what has, and takes 90 us to
    // be woken. PoCL always sleeps: a small kernel that takes 20 us took 30.
    const auto may_end_soon = [&] {
      const cl_int now = status();
      return now == CL_RUNNING || (now > CL_RUNNING && is_others_work);
    };
    if (may_end_soon()) {
      using Clock = std::chrono::steady_clock;
      const auto until = Clock::now() + std::chrono::microseconds(40);
      while (may_end_soon() && Clock::now() < until) std::this_thread::yield();
    }
    if (is_over_.load(std::memory_order_acquire)) return cl_int{CL_SUCCESS};
    return api_.clWaitForEvents(1, &handle);
  });
  if (waited == CL_SUCCESS) return is_over_.store(true, std::memory_order_release);  // and well
  const cl_int ended = status();
  if (ended < 0) fail(Errc::launch, "clWaitForEvents: the work failed: {}", error_text(ended));
  fail_with("clWaitForEvents", waited);
}

std::optional<Interval> ClEvent::ran() noexcept {
  if (!enqueued_ || status() != CL_COMPLETE) return {};
  const auto time = [&](cl_event of, cl_profiling_info what) {
    cl_ulong nanoseconds = 0;
    const cl_int error =
        api_.clGetEventProfilingInfo(of, what, sizeof nanoseconds, &nanoseconds, nullptr);
    return error == CL_SUCCESS ? static_cast<std::int64_t>(nanoseconds) : 0;
  };
  const std::int64_t enqueued = time(handle, CL_PROFILING_COMMAND_QUEUED);
  const std::int64_t begin = time(first_ ? first_ : handle, CL_PROFILING_COMMAND_START);
  const std::int64_t end = time(handle, CL_PROFILING_COMMAND_END);
  if (!enqueued || !begin || !end) return {};
  // the device's clock has a beginning of its own; of this moment both clocks are known
  return Interval{enqueued_ + (begin - enqueued), enqueued_ + (end - enqueued)};
}

std::uintptr_t ClEvent::native_in(std::uintptr_t space) noexcept {
  return space == space_ && !is_orphaned() ? number_of(handle) : 0;
}

std::vector<cl_event> wait_list(const ClQueue& queue, std::span<const Ref<Event>> waits) {
  std::vector<cl_event> list;
  for (const Ref<Event>& event : waits) {
    if (!event) continue;
    if (event->is_done()) {
      if (event->has_failed()) event->wait();
      continue;
    }
    if (event->precedes(queue)) continue;
    if (const std::uintptr_t handle = event->native_in(queue.context->space))
      list.push_back(reinterpret_cast<cl_event>(handle));
    else
      event->wait();
  }
  return list;
}

Ref<Event> barrier(ClQueue& queue, std::span<const Ref<Event>> waits) {
  const Unblocked unblocked;  // once for all calls
  const std::vector<cl_event> list = wait_list(queue, waits);
  cl_event event = nullptr;
  invoke("clEnqueueBarrierWithWaitList", queue.api().clEnqueueBarrierWithWaitList, queue.handle,
         static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data(), &event);
  auto made = make_ref<ClEvent>(queue.api(), queue.context->space,
                                Owned(queue.api().clReleaseEvent, event), queue.timeline);
  flush(queue);
  return made;
}

std::uintptr_t export_event(Event& event) {
  if (event.is_done() && !event.has_failed()) return 0;
  auto* own = dynamic_cast<ClEvent*>(&event);
  check(own, Errc::exchange, "the event is of another backend");
  const Api& api = api_of(own->handle);
  invoke("clRetainEvent", api.clRetainEvent, own->handle);
  return number_of(own->handle);
}

bool is_idle(ClQueue& queue) noexcept {
  if (!queue.is_in_order || !queue.cl().on.is_cpu) return false;
  const Api& api = queue.api();
  cl_event marker = nullptr;
  cl_int status = CL_QUEUED;
  call_to_release([&] {
    if (api.clEnqueueMarkerWithWaitList(queue.handle, 0, nullptr, &marker) != CL_SUCCESS) return;
    const cl_int error = api.clGetEventInfo(marker, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                            sizeof status, &status, nullptr);
    if (error != CL_SUCCESS) status = CL_QUEUED;
    api.clReleaseEvent(marker);
  });
  // Intel's driver (2026.2) submits a marker behind work and ends one at once where there is none;
  // PoCL submits it when its turn has come.
  return status == CL_COMPLETE || (status <= CL_SUBMITTED && !queue.cl().on.begins_unasked);
}

void finish(ClQueue& queue) noexcept {
  call_to_release([&] { queue.api().clFinish(queue.handle); });
}

void flush(ClQueue& queue) noexcept {
  if (queue.cl().on.begins_unasked) return;
  call_to_release([&] { queue.api().clFlush(queue.handle); });
}

}  // namespace isthmus::driver
