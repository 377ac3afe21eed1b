// foreign_work.cpp: barriers on foreign queues.
#include "isthmus/runtime/submit/foreign_work.h"

#include <algorithm>
#include <atomic>

#include "isthmus/base/error.h"
#include "isthmus/runtime/call.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using Queues = std::vector<Ref<BackendQueue>>;

/// Two wrappers of one queue are one.
bool is_same(const BackendQueue& a, const BackendQueue& b) {
  return &a == &b || (a.native == b.native && a.context->device == b.context->device);
}

/// Each once, but `except`.
Queues queues_of(BackendMemory& memory, const BackendQueue* except = nullptr) {
  Queues queues;
  const auto add = [&](const Ref<BackendQueue>& queue) {
    if (!queue || (except && is_same(*queue, *except))) return;
    for (const Ref<BackendQueue>& known : queues)
      if (is_same(*known, *queue)) return;
    queues.push_back(queue);
  };
  add(memory.foreign_queue);
  if (memory.is_quiet.load(std::memory_order_acquire)) return queues;  // nobody borrows it
  std::lock_guard lock(graph_lock());
  for (const Ref<BackendQueue>& borrower : memory.activity().borrowers) add(borrower);
  return queues;
}

Ref<Event> barrier(BackendQueue& queue, std::span<const Ref<Event>> waits) {
  return backend(queue.context->device).barrier(queue, waits);
}

void add_ends(const Queues& queues, Events& waits) {
  for (const Ref<BackendQueue>& queue : queues)
    if (Ref<Event> event = barrier(*queue, {})) waits.push_back(std::move(event));
}

}  // namespace

/// Null: all of it has ended, which is waited for where the driver refuses a barrier.
static Ref<Event> end_of_borrower(BackendQueue& borrower) {
  try {
    Ref<Event> end = barrier(borrower, {});
    if (end) end->is_end = true;
    return end;
  } catch (const Error&) {
    if (!is_orphaned()) backend(borrower.context->device).finish(borrower);
    return nullptr;
  }
}

/// The owner's list and those of borrowers.
static std::vector<Ref<SharedEvents>> lists_of(BackendMemory& memory) {
  std::vector<Ref<SharedEvents>> lists;
  if (memory.owners_events) lists.push_back(memory.owners_events);
  const std::lock_guard lock(graph_lock());
  const auto& given = memory.activity().borrowers_events;
  lists.insert(lists.end(), given.begin(), given.end());
  return lists;
}

[[gnu::hot]] void learn_of_foreign_work(BackendMemory& memory) {
  if (!SharedEvents::exist()) return;
  Events found, trash;
  for (const Ref<SharedEvents>& list : lists_of(memory)) list->take_new(found);
  if (found.empty()) return;
  const std::lock_guard lock(graph_lock());
  for (const Ref<Event>& event : found) note_write(memory, event, trash);
}

void share_event(BackendMemory& memory, const Ref<Event>& event) noexcept try {
  if (!SharedEvents::exist()) return;
  for (const Ref<SharedEvents>& list : lists_of(memory)) list->add(event);
} catch (const std::bad_alloc&) {
  if (event) event->settle();
}

void wait_for_foreign_work(BackendMemory& memory, Events& waits) {
  add_ends(queues_of(memory), waits);
}

void put_foreign_work_behind(BackendMemory& memory, const Ref<Event>& event) {
  if (!event) return;
  for (const Ref<BackendQueue>& queue : queues_of(memory)) barrier(*queue, std::span(&event, 1));
}

[[gnu::hot]] bool has_foreign_queue(BackendMemory& memory) {
  return memory.foreign_queue || !memory.activity().borrowers.empty();
}

bool is_open(BackendMemory& memory) {
  // a buffer's handle is reached by queues; what shows it to the host is an export without one
  if (memory.host && memory.kind != MemoryKind::buffer) return memory.is_shared();
  const Activity& a = memory.activity();
  if (static_cast<std::size_t>(a.exports) > a.borrowers.size()) return true;
  if (!a.is_foreign) return false;
  const Region* region = memory.region.load(std::memory_order_relaxed);
  const auto is_known = [](const BackendMemory* member) { return bool(member->foreign_queue); };
  return !memory.foreign_queue || (region && !std::ranges::all_of(region->members, is_known));
}

bool is_any_open(std::span<BackendMemory* const> memories) {
  const std::lock_guard lock(graph_lock());
  return std::ranges::any_of(memories, [](BackendMemory* memory) { return is_open(*memory); });
}

namespace {

/// The end of what is on a borrower's queue when somebody first waits for it. The barrier is made
/// then, not before.
class LateBarrier final : public Event {
 public:
  explicit LateBarrier(Ref<BackendQueue> borrower) : borrower_(std::move(borrower)) {
    is_end = true;
  }
  ~LateBarrier() override { Ref<Event>::take(end_.load()); }

  bool is_done() noexcept override {
    Event* end = end_.load(std::memory_order_acquire);
    return end ? end->is_done() : is_over_.load(std::memory_order_acquire);
  }
  bool has_failed() noexcept override {
    Event* end = end_.load(std::memory_order_acquire);
    return end && end->has_failed();
  }
  void wait() override {
    if (Event* end = find()) end->wait();
  }
  std::uintptr_t native_in(std::uintptr_t space) noexcept override {
    Event* end = find();
    return end ? end->native_in(space) : 0;
  }
  /// Whether it will be the end of what comes on this queue, too.
  bool is_open_for(const BackendQueue& queue) const {
    return !end_.load() && !is_over_.load() && is_same(*borrower_, queue);
  }

 private:
  /// Null: all is over. Without a lock, since the driver is called: of two barriers one is dropped.
  Event* find() noexcept {
    if (Event* known = end_.load(std::memory_order_acquire)) return known;
    if (is_over_.load(std::memory_order_acquire)) return nullptr;
    Ref<Event> made = end_of_borrower(*borrower_);
    if (!made) is_over_.store(true, std::memory_order_release);
    if (Event* none = nullptr; made && end_.compare_exchange_strong(none, made.get()))
      made.release();
    return end_.load(std::memory_order_acquire);
  }

  const Ref<BackendQueue> borrower_;
  std::atomic<Event*> end_{nullptr};
  std::atomic<bool> is_over_{false};
};

bool is_open_for(Event& event, const BackendQueue& queue) {
  const auto* late = dynamic_cast<const LateBarrier*>(&event);
  return late && late->is_open_for(queue);
}

}  // namespace

void put_behind(BackendMemory& memory, const Ref<BackendQueue>& queue) {
  learn_of_foreign_work(memory);
  Events waits;
  {
    const std::lock_guard lock(graph_lock());
    queue->is_private = false;
    add_waits_for_writing(memory, waits);
    // what is on this queue comes before by itself
    if (queue->is_in_order)
      waits.erase_if([&](const Ref<Event>& e) { return is_open_for(*e, *queue); });
  }
  // what has failed is kept, and says so there
  waits.erase_if(
      [&](const auto& e) { return e->is_done() ? !e->has_failed() : e->precedes(*queue); });
  add_ends(queues_of(memory, queue.get()), waits);
  if (!waits.empty()) barrier(*queue, waits);
}

void begin_borrowing(BackendMemory& memory, const Ref<BackendQueue>& borrower) {
  {
    const std::lock_guard lock(graph_lock());
    memory.activity().borrowers.push_back(
        borrower);  // first, so that work from now on is ordered with it
  }
  put_behind(memory, borrower);
}

void borrow_briefly(BackendMemory& memory, const Ref<BackendQueue>& borrower) {
  const Ref<Event> end = make_ref<LateBarrier>(borrower);
  put_behind(memory, borrower);
  Events trash;  // dropped after the lock
  const std::lock_guard lock(graph_lock());
  // one who borrows again and again leaves one end
  const auto is_known = [&](const Ref<Event>& e) { return is_open_for(*e, *borrower); };
  if (std::ranges::none_of(memory.activity().hazards.writes, is_known))
    note_write(memory, end, trash);
}

/// Whether all who own what is at these addresses put their work on this queue. Our work takes
/// turns with it whether or not there is a borrower.
static bool is_owners(BackendMemory& memory, const BackendQueue& queue) {
  const auto is_its = [&](const BackendMemory* m) {
    return m->foreign_queue && is_same(*m->foreign_queue, queue);
  };
  const std::lock_guard lock(graph_lock());
  const Region* region = memory.region.load(std::memory_order_relaxed);
  return region ? std::ranges::all_of(region->members, is_its) : is_its(&memory);
}

void end_borrowing(BackendMemory& memory, const Ref<BackendQueue>& borrower) noexcept {
  Events trash;  // dropped after the lock
  Ref<BackendQueue> gone;
  try {
    const bool has_end = !is_orphaned() && !is_owners(memory, *borrower);
    const Unblocked unblocked(has_end);
    std::unique_lock order(borrower->order, std::defer_lock);
    if (has_end) order.lock();
    const Ref<Event> end = has_end ? end_of_borrower(*borrower) : nullptr;
    const std::lock_guard lock(graph_lock());
    note_write(memory, end, trash);
  } catch (const std::bad_alloc&) {  // nothing can be remembered: it shall be over
    if (!is_orphaned()) backend(borrower->context->device).finish(*borrower);
  }
  std::lock_guard lock(graph_lock());
  auto& borrowers = memory.activity().borrowers;
  if (const auto found = std::ranges::find(borrowers, borrower); found != borrowers.end()) {
    gone = std::move(*found);
    borrowers.erase(found);
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
