// submission.h: one piece of work, in order with all else that touches its memory.
#pragma once

#include <functional>
#include <mutex>
#include <span>

#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/submit/launch_check.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Kernels, copies and users' kernels alike reach memory through it, so that none forgets a rule:
/// it waits for earlier work of ours and of foreign queues, notes the new work as the last, and
/// keeps what comes later behind it. The memories stay while it lives.
class ISTHMUS_EXPORT Submission {
 public:
  using Memories = std::span<BackendMemory* const>;
  /// `queue`: null for work of the host. A memory may be in both lists. `overwritten`: where
  /// nothing stays of what was there, so that its errors are over. Throws DeviceMismatchError for
  /// memory out of the queue's reach.
  Submission(const Ref<BackendQueue>& queue, Memories reads, Memories writes,
             const std::optional<Addresses>& overwritten = {});

  /// Blocks until the host may work on the memories. Throws the error of what one relies on.
  void wait() const;

  /// Puts work on the queue: `enqueue(waits)` gives its event, or null if it has ended; `noted()`
  /// is called under graph_lock for an event. What is written relies on `relying`, and on what
  /// the memories rely on. Throws what `enqueue` throws.
  template <class Enqueue, class Noted>
  Ref<Event> run(Enqueue enqueue, std::function<std::string()> describe, std::int64_t operations,
                 Noted noted, Relying relying = {}) const {
    learn();
    std::unique_lock order(queue_->order);
    Inherited inherited;
    const Ref<Event> event = enqueue(waits(inherited));
    Ref<Event> milestone;
    std::vector<LateChecks> relied;  // of each memory that is written; then what is dropped
    if (event) try {
        relied = relied_on(std::move(relying), std::move(inherited), describe);
        event->describe = std::move(describe);
        Events trash;  // dropped after the lock
        trash.reserve(2 * (reads_.size() + writes_.size()));
        milestone = note_on_queue(event, operations, trash);
        std::unique_lock lock(graph_lock());
        const bool is_foreign_work = note(event, trash);
        noted();
        note_checks(relied);
        lock.unlock();
        if (is_foreign_work) put_foreign_work_behind(event);
      } catch (...) {
        event->settle();  // what nobody knows of must not outlive what it works on
        throw;
      }
    order.unlock();
    if (!event) {
      raise_if_failed(relying.checks, inherited);
      forget_checks();
    }
    share(event);
    throttle(milestone);
    return event;
  }

 private:
  void learn() const;
  /// Of what is put on the queue, or is the host's. Adds what the memories rely on.
  Events waits(Inherited& inherited) const;
  /// For each memory that is written; empty where there is nothing to rely on.
  std::vector<LateChecks> relied_on(Relying relying, Inherited inherited,
                                    const std::function<std::string()>& describe) const;
  /// Needs graph_lock. Leaves what they relied on before.
  void note_checks(std::vector<LateChecks>& relied) const noexcept;
  /// What is overwritten relied on.
  void forget_checks() const;
  Ref<Event> note_on_queue(const Ref<Event>& event, std::int64_t operations, Events& trash) const;
  /// Whether foreign queues are to wait for it. Needs graph_lock.
  bool note(const Ref<Event>& event, Events& trash) const;
  void put_foreign_work_behind(const Ref<Event>& event) const;
  void share(const Ref<Event>& event) const;
  bool is_quiet() const;
  bool concerns_foreign_work() const;
  void add_foreign_waits(Events& events) const;
  template <class F>
  void each_memory(F f) const {
    for (const Memories& memories : {reads_, writes_})
      for (BackendMemory* memory : memories) f(*memory);
  }

  const Ref<BackendQueue>& queue_;
  const Memories reads_, writes_;
  const std::optional<Addresses> overwritten_;
};

}  // namespace isthmus::inline ISTHMUS_ABI
