// outside.cpp: barriers on queues of others.
#include "isthmus/runtime/outside.h"

#include <algorithm>
#include <atomic>

#include "isthmus/base/error.h"
#include "isthmus/runtime/call.h"
#include "isthmus/runtime/registry.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus {

namespace {

using Queues = std::vector<Ref<BackendQueue>>;

/// Two wrappers of one queue are one.
bool is_same(const BackendQueue& a, const BackendQueue& b) {
  return &a == &b || (a.native == b.native && a.context->device == b.context->device);
}

/// Each once, but `except`.
Queues queues_of(Memory& memory, const BackendQueue* except = nullptr) {
  Queues queues;
  const auto add = [&](const Ref<BackendQueue>& queue) {
    if (!queue || (except && is_same(*queue, *except))) return;
    for (const Ref<BackendQueue>& known : queues)
      if (is_same(*known, *queue)) return;
    queues.push_back(queue);
  };
  add(memory.outside);
  if (memory.is_quiet.load(std::memory_order_acquire)) return queues;  // nobody was let in
  std::lock_guard lock(graph_lock());
  for (const Ref<BackendQueue>& guest : memory.activity().guests) add(guest);
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
static Ref<Event> end_of_guest(BackendQueue& guest) {
  try {
    Ref<Event> end = barrier(guest, {});
    if (end) end->is_end = true;
    return end;
  } catch (const Error&) {
    if (!is_orphaned()) backend(guest.context->device).finish(guest);
    return nullptr;
  }
}

/// The owner's list and those of guests.
static std::vector<Ref<SharedEvents>> lists_of(Memory& memory) {
  std::vector<Ref<SharedEvents>> lists;
  if (memory.owners_events) lists.push_back(memory.owners_events);
  const std::lock_guard lock(graph_lock());
  const auto& given = memory.activity().guests_events;
  lists.insert(lists.end(), given.begin(), given.end());
  return lists;
}

void learn_of_outside(Memory& memory) {
  if (!SharedEvents::exist()) return;
  Events found, trash;
  for (const Ref<SharedEvents>& list : lists_of(memory)) list->take_new(found);
  if (found.empty()) return;
  const std::lock_guard lock(graph_lock());
  for (const Ref<Event>& event : found) note_write(memory, event, trash);
}

void enter_outside(Memory& memory, const Ref<Event>& event) noexcept try {
  if (!event || !SharedEvents::exist()) return;
  for (const Ref<SharedEvents>& list : lists_of(memory)) list->add(event);
} catch (const std::bad_alloc&) {
  event->settle();
}

void wait_for_outside(Memory& memory, Events& waits) { add_ends(queues_of(memory), waits); }

void tell_outside(Memory& memory, const Ref<Event>& event) {
  if (!event) return;
  for (const Ref<BackendQueue>& queue : queues_of(memory)) barrier(*queue, std::span(&event, 1));
}

bool has_outside(Memory& memory) { return memory.outside || !memory.activity().guests.empty(); }

bool is_open(Memory& memory) {
  if (memory.host) return memory.is_shared();
  const Activity& a = memory.activity();
  if (static_cast<std::size_t>(a.exports) > a.guests.size()) return true;
  if (!a.is_foreign) return false;
  const Region* region = memory.region.load(std::memory_order_relaxed);
  const auto is_known = [](const Memory* member) { return bool(member->outside); };
  return !memory.outside || (region && !std::ranges::all_of(region->members, is_known));
}

namespace {

/// The end of what a guest has put on his queue by the time that somebody first wants to wait for
/// it: until then there is no barrier.
class LateEnd final : public Event {
 public:
  explicit LateEnd(Ref<BackendQueue> guest) : guest_(std::move(guest)) { is_end = true; }
  ~LateEnd() override { Ref<Event>::take(end_.load()); }

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
    return !end_.load() && !is_over_.load() && is_same(*guest_, queue);
  }

 private:
  /// Null: all is over. Without a lock, since the driver is called: of two barriers one is dropped.
  Event* find() noexcept {
    if (Event* known = end_.load(std::memory_order_acquire)) return known;
    if (is_over_.load(std::memory_order_acquire)) return nullptr;
    Ref<Event> made = end_of_guest(*guest_);
    if (!made) is_over_.store(true, std::memory_order_release);
    if (Event* none = nullptr; made && end_.compare_exchange_strong(none, made.get()))
      made.release();
    return end_.load(std::memory_order_acquire);
  }

  const Ref<BackendQueue> guest_;
  std::atomic<Event*> end_{nullptr};
  std::atomic<bool> is_over_{false};
};

bool is_open_for(Event& event, const BackendQueue& queue) {
  const auto* late = dynamic_cast<const LateEnd*>(&event);
  return late && late->is_open_for(queue);
}

}  // namespace

void put_behind(Memory& memory, const Ref<BackendQueue>& queue) {
  learn_of_outside(memory);
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

void let_in(Memory& memory, const Ref<BackendQueue>& guest) {
  {
    const std::lock_guard lock(graph_lock());
    memory.activity().guests.push_back(guest);  // first, so that he is told of what comes now
  }
  put_behind(memory, guest);
}

void let_look(Memory& memory, const Ref<BackendQueue>& guest) {
  const Ref<Event> end = make_ref<LateEnd>(guest);
  put_behind(memory, guest);
  Events trash;  // dropped after the lock
  const std::lock_guard lock(graph_lock());
  // one who looks again and again leaves one end
  const auto is_known = [&](const Ref<Event>& e) { return is_open_for(*e, *guest); };
  if (std::ranges::none_of(memory.activity().hazards.writes, is_known))
    note_write(memory, end, trash);
}

/// Whether all who own what is at these addresses put their work on this queue. Our work takes
/// turns with it whether or not there is a guest.
static bool is_owners(Memory& memory, const BackendQueue& queue) {
  const auto is_his = [&](const Memory* m) { return m->outside && is_same(*m->outside, queue); };
  const std::lock_guard lock(graph_lock());
  const Region* region = memory.region.load(std::memory_order_relaxed);
  return region ? std::ranges::all_of(region->members, is_his) : is_his(&memory);
}

void let_out(Memory& memory, const Ref<BackendQueue>& guest) noexcept {
  Events trash;  // dropped after the lock
  Ref<BackendQueue> gone;
  try {
    const bool has_end = !is_orphaned() && !is_owners(memory, *guest);
    const Unblocked unblocked(has_end);
    std::unique_lock order(guest->order, std::defer_lock);
    if (has_end) order.lock();
    const Ref<Event> end = has_end ? end_of_guest(*guest) : nullptr;
    const std::lock_guard lock(graph_lock());
    note_write(memory, end, trash);
  } catch (const std::bad_alloc&) {  // nothing can be remembered: it shall be over
    if (!is_orphaned()) backend(guest->context->device).finish(*guest);
  }
  std::lock_guard lock(graph_lock());
  auto& guests = memory.activity().guests;
  if (const auto found = std::ranges::find(guests, guest); found != guests.end()) {
    gone = std::move(*found);
    guests.erase(found);
  }
}

}  // namespace isthmus
