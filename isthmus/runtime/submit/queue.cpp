// queue.cpp: queues and contexts as programs hold them.
#include "isthmus/runtime/submit/queue.h"

#include <utility>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

NativeHandle::NativeHandle(NativeHandle&& other) noexcept
    : device_(other.device_), kind_(other.kind_), handle_(std::exchange(other.handle_, 0)) {}

NativeHandle& NativeHandle::operator=(NativeHandle other) noexcept {
  std::swap(device_, other.device_);
  std::swap(kind_, other.kind_);
  std::swap(handle_, other.handle_);
  return *this;
}

NativeHandle::~NativeHandle() {
  if (!handle_) return;
  Backend& b = backend(device_);
  kind_ == Kind::queue ? b.drop_queue(handle_) : b.drop_context(handle_);
}

void* NativeHandle::release() noexcept {
  return reinterpret_cast<void*>(std::exchange(handle_, 0));
}

Context::Context(const Device& device)
    : context_(backend(device).default_context(device.index())) {}
Context::Context(Ref<BackendContext> context) : context_(std::move(context)) {
  check(context_.get() != nullptr, Errc::value, "Context: it is null");
}
Context::Context(const Context& other) = default;
Context& Context::operator=(const Context& other) = default;
Context::~Context() = default;

Device Context::device() const { return context_->device; }
NativeHandle Context::native() const {
  const Device device = context_->device;
  return {device, NativeHandle::Kind::context, backend(device).export_context(*context_)};
}
bool operator==(const Context& a, const Context& b) {
  return a.context_ == b.context_ ||
         (a.context_->space != 0 && a.context_->space == b.context_->space);
}

Queue::Queue(const Device& device) : queue_(backend(device).default_queue(device.index())) {}
Queue::Queue(Ref<BackendQueue> queue) : queue_(std::move(queue)) {
  check(queue_.get() != nullptr, Errc::value, "Queue: it is null");
}
Queue::Queue(const Queue& other) = default;
Queue& Queue::operator=(const Queue& other) = default;
Queue::~Queue() = default;

Device Queue::device() const { return queue_->context->device; }
Context Queue::context() const { return Context(queue_->context); }
bool Queue::is_in_order() const { return queue_->is_in_order; }
void* Queue::handle() const& {
  return reinterpret_cast<void*>(backend(device()).queue_handle(*queue_));
}
NativeHandle Queue::native() const {
  return {device(), NativeHandle::Kind::queue, backend(device()).export_queue(*queue_)};
}
void Queue::synchronize() const { isthmus::synchronize(*queue_); }
bool operator==(const Queue& a, const Queue& b) { return a.queue_ == b.queue_; }

Queue current_queue(const Device& device) { return Queue(current_backend_queue(device)); }

OnQueue::OnQueue(const Ref<BackendQueue>& queue)
    : device_(queue->context->device), has_ended_(begin_on_queue(device_, queue)) {}
OnQueue::~OnQueue() {
  has_ended_->store(true, std::memory_order_release);
  forget_ended_queues(device_);
}

}  // namespace isthmus::inline ISTHMUS_ABI
