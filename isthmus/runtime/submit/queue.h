// queue.h: queues and contexts of devices, as values.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "isthmus/base/ref.h"
#include "isthmus/core/device.h"

namespace isthmus::inline ISTHMUS_ABI {

class BackendContext;
class BackendQueue;

/// A driver handle that the object owns: a cl_context or cl_command_queue, which it releases, or a
/// sycl::context or sycl::queue, which it deletes. Movable, not copyable.
class ISTHMUS_EXPORT NativeHandle {
 public:
  /// Takes over the handle.
  NativeHandle(NativeHandle&& other) noexcept;
  /// Releases its handle and takes over the other one.
  NativeHandle& operator=(NativeHandle other) noexcept;
  ~NativeHandle();

  /// A cl_context or cl_command_queue; a sycl::context* or sycl::queue*. Null after a move.
  void* get() const& { return reinterpret_cast<void*>(handle_); }
  /// Does not compile: the handle ends with the object.
  template <class T = void*>
  T get() const&& {
    static_assert(
        sizeof(T) == 0,
        "the handle ends with the object, and a temporary is gone at once: give it a name");
    return nullptr;
  }
  /// The same; the caller owns it from now on.
  [[nodiscard]] void* release() noexcept;

 private:
  friend class Context;
  friend class Queue;
  enum class Kind : std::uint8_t { context, queue };
  NativeHandle(Device device, Kind kind, std::uintptr_t handle)
      : device_(device), kind_(kind), handle_(handle) {}

  Device device_;
  Kind kind_;
  std::uintptr_t handle_;
};

/// A context in which addresses are valid: of SYCL or OpenCL, or the process itself for the host. A
/// value; copies refer to the same context. Any thread.
class ISTHMUS_EXPORT Context {
 public:
  /// The default context of a device. Opens its driver; throws DeviceNotFoundError,
  /// BackendUnavailableError.
  explicit Context(const Device& device);
  /// That of the library's own object.
  explicit Context(detail::Ref<BackendContext> context);
  /// The same context.
  Context(const Context& other);
  /// Assigns the context.
  Context& operator=(const Context& other);
  ~Context();

  /// The device that this context is used for.
  Device device() const;
  /// The driver's handle, a cl_context or sycl::context*, retained or copied for the caller. Throws
  /// ExchangeError if there is none, as for the host.
  NativeHandle native() const;
  /// Whether they share memory: a SYCL context equals the OpenCL context below it.
  friend ISTHMUS_EXPORT bool operator==(const Context& a, const Context& b);

  /// The library's own object.
  const detail::Ref<BackendContext>& backend_context() const& { return context_; }

 private:
  detail::Ref<BackendContext> context_;
};

/// A queue for work of one device: the device's own queue, or a user's. A value; copies refer to
/// the same queue. Any thread.
class ISTHMUS_EXPORT Queue {
 public:
  /// The device's own queue. Opens its driver; throws DeviceNotFoundError, BackendUnavailableError.
  explicit Queue(const Device& device);
  /// That of the library's own object.
  explicit Queue(detail::Ref<BackendQueue> queue);
  /// The same queue.
  Queue(const Queue& other);
  /// Assigns the queue.
  Queue& operator=(const Queue& other);
  ~Queue();

  /// The device that its work runs on.
  Device device() const;
  /// The context whose memory its work can access.
  Context context() const;
  /// Whether each task on it begins after the previous one has ended.
  bool is_in_order() const;
  /// A cl_command_queue or sycl::queue*, borrowed: valid while a copy of this queue lives. Throws
  /// ExchangeError if there is none, as for the host.
  void* handle() const&;
  /// Does not compile: the driver's queue may end with the object.
  template <class T = void*>
  T handle() const&& {
    static_assert(
        sizeof(T) == 0,
        "the queue may end with the object, and a temporary is gone at once: give it a name");
    return nullptr;
  }
  /// The same, retained or copied for the caller.
  NativeHandle native() const;
  /// Waits for all work that is on the queue now. Throws the errors of work that others enqueued;
  /// errors of our work stay with its arrays.
  void synchronize() const;
  /// Whether both are copies of the same queue.
  friend ISTHMUS_EXPORT bool operator==(const Queue& a, const Queue& b);

  /// The library's own object.
  const detail::Ref<BackendQueue>& backend_queue() const& { return queue_; }

 private:
  detail::Ref<BackendQueue> queue_;
};

/// This thread's current queue on a device: that of the innermost OnQueue, otherwise the device's
/// own.
ISTHMUS_EXPORT Queue current_queue(const Device& device = default_device());

/// Makes a queue this thread's current one on its device while it lives: operations run on it, in
/// order with the other work there, and new arrays belong to its context. It may end on another
/// thread, and before an OnQueue created later: the current queue is that of the last one that has
/// not ended.
class ISTHMUS_EXPORT OnQueue {
 public:
  /// @{
  /// Begins.
  [[nodiscard("it ends with the statement: give it a name")]] explicit OnQueue(const Queue& queue)
      : OnQueue(queue.backend_queue()) {}
  [[nodiscard("it ends with the statement: give it a name")]] explicit OnQueue(
      const detail::Ref<BackendQueue>& queue);
  /// @}
  /// Ends, for the thread on which it began.
  ~OnQueue();
  OnQueue(const OnQueue&) = delete;
  OnQueue& operator=(const OnQueue&) = delete;

 private:
  const Device device_;
  std::shared_ptr<std::atomic<bool>> has_ended_;
};

/// Blocks until all work that any thread has enqueued on any queue of the device has ended. Errors
/// of the work stay with its arrays.
ISTHMUS_EXPORT void synchronize(const Device& device = default_device());

}  // namespace isthmus::inline ISTHMUS_ABI
