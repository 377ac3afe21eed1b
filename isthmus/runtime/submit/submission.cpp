// submission.cpp: waits before, and notes after, one piece of work.
#include "isthmus/runtime/submit/submission.h"

#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/waiting.h"

namespace isthmus::inline ISTHMUS_ABI {

Submission::Submission(const Ref<BackendQueue>& queue, Memories reads, Memories writes,
                       const std::optional<Addresses>& overwritten)
    : queue_(queue), reads_(reads), writes_(writes), overwritten_(overwritten) {
  if (queue) each_memory([&](const BackendMemory& memory) { check_context(*queue, memory); });
}

void Submission::learn() const {
  if (SharedEvents::exist()) each_memory(learn_of_foreign_work);
}

void Submission::wait() const {
  learn();
  Events events;
  Inherited inherited;
  if (is_quiet())
    add_foreign_waits(events);
  else
    events = waits(inherited);
  for (const Ref<Event>& event : events)
    if (event) wait_for(event);
  raise_if_failed({}, inherited);
  forget_checks();
}

Events Submission::waits(Inherited& inherited) const {
  Events events;
  bool is_foreign_work;
  {
    const std::lock_guard lock(graph_lock());
    for (BackendMemory* memory : reads_) add_waits_for_reading(*memory, events);
    for (BackendMemory* memory : writes_)
      add_waits_for_writing(*memory, events, queue_ ? queue_->timeline : 0);
    for (BackendMemory* memory : reads_) add_checks(*memory, inherited.of_read, inherited.settled);
    for (BackendMemory* memory : writes_)
      add_checks(*memory, inherited.of_written, inherited.settled, overwritten_);
    is_foreign_work = concerns_foreign_work();
  }
  if (is_foreign_work) add_foreign_waits(events);
  return events;
}

std::vector<LateChecks> Submission::relied_on(Relying relying, Inherited inherited,
                                              const std::function<std::string()>& describe) const {
  inherited.settled.clear();
  if (relying.checks.empty() && inherited.of_read.empty() && inherited.of_written.empty())
    return std::vector<LateChecks>(overwritten_ ? writes_.size() : 0);
  const Ref<LateCheck> all =
      make_ref<LaunchCheck>(std::move(relying), std::move(inherited), describe);
  return std::vector<LateChecks>(writes_.size(), LateChecks{all});
}

void Submission::note_checks(std::vector<LateChecks>& relied) const noexcept {
  for (std::size_t i = 0; i < relied.size(); ++i) writes_[i]->activity().checks.swap(relied[i]);
}

void Submission::forget_checks() const {
  if (!overwritten_) return;
  std::vector<LateChecks> trash(writes_.size());  // dropped after the lock
  const std::lock_guard lock(graph_lock());
  note_checks(trash);
}

Ref<Event> Submission::note_on_queue(const Ref<Event>& event, std::int64_t operations,
                                     Events& trash) const {
  return note_work(queue_, event, operations, trash);
}

bool Submission::note(const Ref<Event>& event, Events& trash) const {
  for (BackendMemory* memory : reads_) note_read(*memory, event, trash);
  for (BackendMemory* memory : writes_) note_write(*memory, event, trash);
  return concerns_foreign_work();
}

void Submission::put_foreign_work_behind(const Ref<Event>& event) const {
  each_memory([&](BackendMemory& memory) { isthmus::put_foreign_work_behind(memory, event); });
}

void Submission::share(const Ref<Event>& event) const {
  if (!SharedEvents::exist()) return;
  each_memory([&](BackendMemory& memory) { share_event(memory, event); });
}

/// Most memories have never met a queue; then there is nothing to ask under the lock.
bool Submission::is_quiet() const {
  bool is_so = true;
  each_memory([&](const BackendMemory& memory) {
    is_so = is_so && memory.is_quiet.load(std::memory_order_acquire);
  });
  return is_so;
}

/// Needs graph_lock.
bool Submission::concerns_foreign_work() const {
  bool is_so = false;
  each_memory([&](BackendMemory& memory) { is_so = is_so || has_foreign_queue(memory); });
  return is_so;
}

void Submission::add_foreign_waits(Events& events) const {
  each_memory([&](BackendMemory& memory) { wait_for_foreign_work(memory, events); });
}

}  // namespace isthmus::inline ISTHMUS_ABI
