// outside.cpp: barriers on queues of others.
#include "isthmus/runtime/outside.h"

#include <algorithm>

#include "isthmus/base/error.h"
#include "isthmus/runtime/call.h"
#include "isthmus/runtime/registry.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus {

namespace {

using Queues = std::vector<Ref<Queue>>;

/// Two wrappers of one queue are one.
bool is_same(const Queue& a, const Queue& b) {
  return &a == &b || (a.native == b.native && a.context->device == b.context->device);
}

/// Each once, but `except`.
Queues queues_of(Memory& memory, const Queue* except = nullptr) {
  Queues queues;
  const auto add = [&](const Ref<Queue>& queue) {
    if (!queue || (except && is_same(*queue, *except))) return;
    for (const Ref<Queue>& known : queues)
      if (is_same(*known, *queue)) return;
    queues.push_back(queue);
  };
  add(memory.outside);
  if (memory.is_quiet.load(std::memory_order_acquire)) return queues;  // nobody was let in
  std::lock_guard lock(graph_lock());
  for (const Ref<Queue>& guest : memory.activity().guests) add(guest);
  return queues;
}

Ref<Event> barrier(Queue& queue, std::span<const Ref<Event>> waits) {
  return backend(queue.context->device).barrier(queue, waits);
}

void add_ends(const Queues& queues, Events& waits) {
  for (const Ref<Queue>& queue : queues)
    if (Ref<Event> event = barrier(*queue, {})) waits.push_back(std::move(event));
}

}  // namespace

void wait_for_outside(Memory& memory, Events& waits) { add_ends(queues_of(memory), waits); }

void tell_outside(Memory& memory, const Ref<Event>& event) {
  if (!event) return;
  for (const Ref<Queue>& queue : queues_of(memory)) barrier(*queue, std::span(&event, 1));
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

void let_in(Memory& memory, const Ref<Queue>& guest) {
  Events waits;
  {
    std::lock_guard lock(graph_lock());
    guest->is_private = false;
    memory.activity().guests.push_back(guest);  // first, so that he is told of what comes now
    add_waits_for_writing(memory, waits);
  }
  // what has failed is kept, and says so there
  std::erase_if(
      waits, [&](const auto& e) { return e->is_done() ? !e->has_failed() : e->precedes(*guest); });
  add_ends(queues_of(memory, guest.get()), waits);
  if (!waits.empty()) barrier(*guest, waits);
}

/// Whether all who own what is at these addresses put their work on this queue. Our work takes
/// turns with it whether or not there is a guest.
static bool is_owners(Memory& memory, const Queue& queue) {
  const auto is_his = [&](const Memory* m) { return m->outside && is_same(*m->outside, queue); };
  const std::lock_guard lock(graph_lock());
  const Region* region = memory.region.load(std::memory_order_relaxed);
  return region ? std::ranges::all_of(region->members, is_his) : is_his(&memory);
}

/// Null where the driver refuses a barrier: then it runs nothing.
static Ref<Event> end_of_guest(Queue& guest) {
  try {
    Ref<Event> end = barrier(guest, {});
    if (end) end->is_end = true;
    return end;
  } catch (const Error&) {
    return nullptr;
  }
}

void let_out(Memory& memory, const Ref<Queue>& guest) noexcept {
  Events trash;  // dropped after the lock
  Ref<Queue> gone;
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
