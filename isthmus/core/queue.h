// queue.h: the contexts, queues and events of backends, through which work goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "isthmus/base/mutex.h"
#include "isthmus/core/device.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Where pointers mean something: SYCL's or OpenCL's context, CUDA's primary context, or the
/// process itself for the host. Backends derive from it to keep their handle alive.
class ISTHMUS_EXPORT BackendContext : public Counted<BackendContext> {
 public:
  BackendContext(Device on, std::uintptr_t handle, std::string text, std::uintptr_t same = 0)
      : device(on), native(handle), space(same ? same : handle), name(std::move(text)) {}
  virtual ~BackendContext();

  const Device device;
  const std::uintptr_t native;  ///< The driver's handle; 0 where there is none.
  /// Contexts of equal space are one, under two APIs: they share memory and events. A SYCL context
  /// on OpenCL has the cl_context below it.
  const std::uintptr_t space;
  const std::string name;  ///< As errors name it: "the default context of sycl:0".
};

/// Nanoseconds of the host's steady clock.
struct Interval {
  std::int64_t begin = 0, end = 0;
};
ISTHMUS_EXPORT std::int64_t now_in_nanoseconds() noexcept;

class BackendQueue;

/// How long work takes whose text does not say, as that of a user's kernel: what those have seen
/// who waited for it. Any thread.
class ISTHMUS_EXPORT Pace : public Counted<Pace> {
 public:
  /// Whether as many work-items were seen to end within ten milliseconds of being put on a queue,
  /// and nobody has waited longer for as many since.
  bool is_brief(std::size_t items) const noexcept {
    return items <= items_.load(std::memory_order_relaxed);
  }

  /// One piece of work.
  struct Run {
    Ref<Pace> pace;  ///< Null: nobody asks.
    std::size_t items = 0;
    std::int64_t begin = 0;  ///< When it was put on a queue.
    /// It has ended now, or some time ago if nobody had to wait.
    void note_end(bool was_waited_for) const noexcept;
  };

 private:
  std::atomic<std::size_t> items_{0};
};

/// Work that has been enqueued. Happened-before is asked, never assumed.
class ISTHMUS_EXPORT Event : public Counted<Event> {
 public:
  virtual ~Event();
  /// Whether the work has ended, well or badly. Never blocks, never throws.
  virtual bool is_done() noexcept = 0;
  /// Whether the work has ended badly: wait() throws, now and ever after.
  virtual bool has_failed() noexcept = 0;
  /// Blocks until the work has ended; throws the Error of work that failed.
  virtual void wait() = 0;
  /// As wait(); the error begins with what the work was.
  void join();
  /// Blocks until the work has ended, however it ended: an error is thrown to whoever wants the
  /// result. Allocates nothing.
  void settle() noexcept;
  /// When work that has ended ran; nothing where the driver does not say.
  virtual std::optional<Interval> ran() noexcept;
  /// Whether all that is put on the queue from now on comes behind it by itself.
  inline bool precedes(const BackendQueue& queue) const noexcept;
  /// A driver's handle that queues of a context of this space can wait for, borrowed; 0: none.
  virtual std::uintptr_t native_in(std::uintptr_t space) noexcept;

  // Set by who enqueued it, before others know the event.
  std::uint64_t timeline = 0;             ///< BackendQueue::timeline of where it is; 0: not known.
  std::function<std::string()> describe;  ///< What the work is, in words.
  /// Whether it ends so soon that a wait for it need not be interrupted. A backend says that it
  /// waits for nothing but what is before it on its queue; note_work, that this is little.
  bool is_brief = false;
  /// For whoever waits for it: wait_for() notes its end there.
  Pace::Run run;
  /// Marks the end of foreign work. It can fail silently; a later event on the same timeline
  /// replaces it.
  bool is_end = false;
};

/// Where work is put. In order unless it says so; may be a user's own.
class ISTHMUS_EXPORT BackendQueue : public Counted<BackendQueue> {
 public:
  BackendQueue(Ref<BackendContext> context, std::uintptr_t native, bool is_in_order);
  virtual ~BackendQueue();

  const Ref<BackendContext> context;
  const std::uintptr_t native;  ///< Who puts work there must ask the backend for it.
  const bool is_in_order;
  const std::uint64_t id;  ///< Never 0, never given to another queue, unlike an address.
  /// Of two events of one timeline, the later one is behind the other: the id, or that of the queue
  /// below which our work really goes to. 0 where there is no order. Constant once others know it.
  std::uint64_t timeline = is_in_order ? id : 0;
  /// Held from putting work on the queue to noting its event, so that events of an in-order queue
  /// are noted in its order. Taken before graph_lock.
  Mutex order;
  /// What was put there last, and the operations that may be unfinished up to there. Under `order`;
  /// see note_work.
  Ref<Event> last;
  std::int64_t backlog = 0;
  std::uint32_t enqueued = 0;  ///< Work of ours so far, and the last of a round; see note_work.
  Ref<Event> milestone;
  /// Whether nobody but us can put work there: it is in order, and its handle was never exported.
  std::atomic<bool> is_private{false};
  std::atomic<bool> has_work{false};  ///< Put there since it was last waited for; see queues.h.
};

inline bool Event::precedes(const BackendQueue& queue) const noexcept {
  return timeline && timeline == queue.timeline;
}

}  // namespace isthmus::inline ISTHMUS_ABI
