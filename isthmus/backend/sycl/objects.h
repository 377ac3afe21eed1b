// objects.h: SYCL's contexts, queues and events, and the OpenCL ones below them.
#pragma once

#include "isthmus/backend/sycl/devices.h"

namespace isthmus::sycl_usm {

/// A sycl::context as one device of it sees it.
class SyclContext : public BackendContext {
 public:
  SyclContext(int index, const sycl::context& context, std::string name);
  /// A queue of our own for what must not wait behind a user's work. Made when first asked for.
  const sycl::queue& service();

  const sycl::context object;
  const SyclDevice& on;
  const Ref<driver::ClContext> below;  ///< Null where SYCL works through another driver.

 private:
  Once<sycl::queue> service_;
};

/// A sycl::queue: ours, or a user's. Work goes to the cl_command_queue below where there is one,
/// which saves SYCL's scheduler; a user's queue is only told of it, by barriers, since what its
/// owner has given to SYCL may not have reached OpenCL yet: behind a host task, which dpnp puts
/// after each of its kernels, SYCL holds it back. For the same reason SYCL itself is asked for the
/// end of what is on a queue of ours that somebody has the handle of.
class SyclQueue final : public BackendQueue {
 public:
  /// One of ours: in order.
  explicit SyclQueue(Ref<SyclContext> context);
  /// A user's.
  SyclQueue(Ref<SyclContext> context, const sycl::queue& queue);

  SyclContext& sycl_context() const { return static_cast<SyclContext&>(*context); }
  sycl::queue object;  // SYCL's handles are not const where they enqueue
  /// Where OpenCL's commands go; null where there is no OpenCL.
  const Ref<driver::ClQueue> below;
  /// Where SYCL puts what is given to it, to be flushed: SYCL itself does that only when it waits.
  /// Null where there is no OpenCL.
  const Ref<driver::ClQueue> of_sycl;
  const bool is_foreign;
  /// Whether others put work there: it is a user's, or its handle was exported.
  std::atomic<bool> has_users;
};

/// A sycl::event where there is no cl_event, or none yet.
class SyclEvent final : public Event {
 public:
  explicit SyclEvent(sycl::event object) : object(std::move(object)) {}
  bool is_done() noexcept override;
  bool has_failed() noexcept override { return has_failed_.load() || is_orphaned(); }
  void wait() override;
  sycl::event object;

 private:
  std::atomic<bool> has_failed_{false};
};

/// Throws exchange for what is no object of the libsycl that we use, as far as can be seen: `what`
/// is what it should be, as "a sycl::queue".
void check_object(const char* what, std::uintptr_t address);

SyclContext& native(BackendContext& context);
SyclQueue& native(BackendQueue& queue);

Ref<SyclContext> default_context(int index);
Ref<SyclQueue> default_queue(int index);
/// The one wrapper of a user's context, as `device` sees it; index -1: its first device with USM.
Ref<SyclContext> context_of(const sycl::context& context, int index);

/// Ours for SYCL's event on a user's queue: a cl_event where there is one already.
Ref<Event> wrap(const SyclQueue& queue, sycl::event event);
/// SYCL's events of ours that a queue of the context can wait for; others are waited for here.
std::vector<sycl::event> wait_list(const SyclContext& context, std::span<const Ref<Event>> waits);

/// See Backend::barrier.
Ref<Event> barrier(SyclQueue& queue, std::span<const Ref<Event>> waits);

}  // namespace isthmus::sycl_usm
