// objects.h: contexts, queues and events of OpenCL, our own or a user's.
#pragma once

#include "isthmus/opencl_driver/opencl.h"
#include "isthmus/opencl_driver/owned.h"
#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/devices/once.h"
#include "isthmus/runtime/observe/records.h"

namespace isthmus::driver {

/// A device and what kernels must know of it. Never destroyed.
struct ClDevice {
  cl_device_id id;
  const Platform& platform;
  DeviceInfo info;
  std::string_view kind;  ///< "cpu", "gpu" or "accelerator".
  bool is_cpu = false;
  Traits traits{};  ///< Of texts in OpenCL C.
  /// Bytes that a part of a buffer begins at a multiple of.
  std::size_t buffer_alignment = 1;
  bool has_usm = false;
  bool has_coarse_svm = false;
  /// All that it reads lies in the host's memory, of which OpenCL's SVM allows any address: of USM
  /// Intel's runtime (2026.2) keeps a list for each launch, which takes it 0.17 us.
  bool takes_any_pointer() const { return is_cpu && info.has_system_memory; }
  /// It begins with what is enqueued unasked, so that it need not be flushed, which takes 65 ns of
  /// a small launch's 4 us: seen of Intel's for CPUs (2026.2), in order or not, behind events too.
  bool begins_unasked = false;
  /// Who waits for work that nobody has begun does it: Intel's for CPUs (2026.2).
  bool waiters_work = false;
};

/// Asks a device for all of it. `info.kinds` is what `allocate` offers.
ClDevice describe(cl_device_id id);

/// A cl_context as one device of it sees it. Retains the handle.
class ClContext : public BackendContext {
 public:
  ClContext(Device device, cl_context handle, const ClDevice& on, std::string name,
            std::uintptr_t native = 0);
  ~ClContext() override;

  const Api& api() const { return on.platform.api; }
  /// A queue of our own for what must be done at once. Made when it is first asked for.
  cl_command_queue service();

  const cl_context handle;
  const ClDevice& on;

 private:
  Once<Owned<cl_command_queue>> service_;
};

/// A new queue: in order, unless it says so.
Owned<cl_command_queue> make_queue(const ClContext& context,
                                   cl_command_queue_properties properties = 0);

/// A cl_command_queue. Retains the handle.
class ClQueue : public BackendQueue {
 public:
  ClQueue(Ref<ClContext> context, cl_command_queue handle, std::uintptr_t native = 0);
  ~ClQueue() override;

  ClContext& cl() const { return static_cast<ClContext&>(*context); }
  const Api& api() const { return cl().api(); }
  /// A queue beside this one that takes its commands' times, which costs Intel's runtime a
  /// microsecond a command: for while a profile wants them. In order. Made when it is first asked
  /// for.
  ClQueue& timed();

  const cl_command_queue handle;
  const bool takes_times;

 private:
  ClQueue(const Ref<ClContext>& context, cl_command_queue handle, std::uintptr_t native,
          cl_command_queue_properties properties);
  Once<ClQueue> timed_;
};

/// A cl_event. Takes the references that the driver gave, if there is memory for the event: to it,
/// and to that of what the work began with if it was several commands and a profile wants to know.
class ClEvent final : public Event {
 public:
  ClEvent(const Api& api, std::uintptr_t space, Owned<cl_event>&& handle,
          std::uint64_t timeline = 0, Owned<cl_event>&& first = Owned<cl_event>(nullptr))
      : handle(handle.take()),
        api_(api),
        space_(space),
        first_(first.take()),
        enqueued_(is_profiled() ? now_in_nanoseconds() : 0) {
    this->timeline = timeline;
  }
  ~ClEvent() override;

  bool is_done() noexcept override;
  bool has_failed() noexcept override;
  void wait() override;
  /// Known of work that was enqueued during a profile.
  std::optional<Interval> ran() noexcept override;
  std::uintptr_t native_in(std::uintptr_t space) noexcept override;

  const cl_event handle;
  /// Threads of the driver do it, and never the one that waits.
  bool is_others_work = false;

 private:
  cl_int status() noexcept;
  const Api& api_;
  const std::uintptr_t space_;
  const cl_event first_;
  const std::int64_t enqueued_;       ///< By our clock; 0: nobody asks.
  std::atomic<bool> is_over_{false};  ///< Seen to be, so that nobody asks the driver again.
};

/// What `queue` must wait for itself, as its driver wants it; the rest is waited for on the host.
/// Events of an in-order queue's own are left out. Throws the error of work that failed.
std::vector<cl_event> wait_list(const ClQueue& queue, std::span<const Ref<Event>> waits);

/// An event behind all that is in the queue, and before all that will be.
Ref<Event> barrier(ClQueue& queue, std::span<const Ref<Event>> waits);

/// A handle of ours for others, retained; 0 if the work has ended.
std::uintptr_t export_event(Event& event);

/// Makes the driver begin with what is in the queue, unless it does anyway. An error shows when
/// somebody waits for it.
void flush(ClQueue& queue) noexcept;

/// Whether nothing is in a queue that takes commands of others too, as its driver says at once.
/// Asks the drivers of CPUs alone, of queues in order: elsewhere the answer costs too much.
bool is_idle(ClQueue& queue) noexcept;

/// Waits until it is empty.
void finish(ClQueue& queue) noexcept;

}  // namespace isthmus::driver
