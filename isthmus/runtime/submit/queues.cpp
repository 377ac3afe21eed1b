// queues.cpp: current queues per thread, and the list of queues with work.
#include "isthmus/runtime/submit/queues.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "isthmus/base/error.h"
#include "isthmus/base/mutex.h"
#include "isthmus/base/per_thread.h"
#include "isthmus/base/words.h"
#include "isthmus/runtime/call.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/kernels/compiling.h"
#include "isthmus/runtime/submit/thread_scopes.h"
#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Of this thread: on each device the queues of scopes, the one that was set, and the default one
/// once it was asked for.
struct Current {
  Device device;
  ThreadScopes<Ref<BackendQueue>> scopes = {};
  Ref<BackendQueue> chosen = nullptr, usual = nullptr;
};
constinit thread_local detail::PerThread<std::vector<Current>> current;

Current& current_on(const Device& device) {
  for (Current& entry : *current)
    if (entry.device == device) return entry;
  return current->emplace_back(Current{device});
}

std::atomic<QueueHook> queue_hook{nullptr};

struct Lists {
  Mutex lock;
  /// Queues with work, each once: BackendQueue::has_work says whether it is here.
  std::vector<Ref<BackendQueue>> busy;
  /// Ours of users' contexts, until only this list holds the queue and the queue its context.
  std::vector<Ref<BackendQueue>> own;
};

/// Leaked: queues are never given to a driver that is gone. A forked child starts an empty one,
/// since the parent's may be locked, and its queues are of no use there.
std::atomic<Lists*> all_lists{nullptr};

Lists& lists() {
  static const int hook = pthread_atfork(nullptr, nullptr, [] { all_lists.store(nullptr); });
  static_cast<void>(hook);
  if (Lists* found = all_lists.load(std::memory_order_acquire)) return *found;
  auto made = std::make_unique<Lists>();
  Lists* expected = nullptr;
  if (all_lists.compare_exchange_strong(expected, made.get())) return *made.release();
  return *expected;
}

/// Takes the queues out that `is_wanted` wants.
template <class F>
std::vector<Ref<BackendQueue>> take(F is_wanted) {
  Lists& l = lists();
  std::vector<Ref<BackendQueue>> taken;
  const std::lock_guard lock(l.lock);
  taken.reserve(l.busy.size());  // while the list changes nothing may fail
  std::erase_if(l.busy, [&](Ref<BackendQueue>& queue) {
    if (!is_wanted(*queue)) return false;
    queue->has_work.store(false);
    taken.push_back(std::move(queue));
    return true;
  });
  return taken;
}

/// An event behind all that is on the queue; null if there is nothing. A barrier costs several
/// times what a small kernel does.
Ref<Event> end_of(BackendQueue& queue) {
  if (!queue.is_private.load()) return backend(queue.context->device).barrier(queue, {});
  claim_drivers("synchronize");  // in a forked child the lock may be held by a thread of the parent
  const std::lock_guard order(queue.order);
  return queue.last;
}

void wait_for_end(const BackendQueue& queue, const Ref<Event>& end) {
  if (end) try {
      wait_for(end);
    } catch (const Error&) {
      if (!queue.is_private.load() || !end->has_failed()) throw;
    }
}

/// More queues than this, and those that only we still hold are asked whether they are done.
constexpr std::size_t many_queues = 16;

/// The same of a queue that nobody else holds, kept there for when it is looked at again: a new
/// barrier would hardly ever have ended already. What is put there later replaces it.
Ref<Event> end_of_abandoned(BackendQueue& queue) {
  const std::lock_guard order(queue.order);
  if (!queue.last) queue.last = backend(queue.context->device).barrier(queue, {});
  return queue.last;
}

void let_go_of_abandoned() {
  for (const Ref<BackendQueue>& queue :
       take([](const BackendQueue& q) { return q.references() == 1; }))
    try {
      const Ref<Event> end = end_of_abandoned(*queue);
      if (end && !end->is_done()) note_work(queue);
    } catch (const std::exception&) {
      continue;  // a driver that refuses a barrier has nothing that could be waited for
    }
}

}  // namespace

Ref<BackendQueue> current_backend_queue(const Device& device) {
  Current& here = current_on(device);
  if (const Ref<BackendQueue>* scoped = here.scopes.innermost()) return *scoped;
  if (here.chosen) return here.chosen;
  if (const QueueHook hook = queue_hook.load(std::memory_order_acquire))
    if (Ref<BackendQueue> queue = hook(device)) return queue;
  if (here.usual) return here.usual;
  Ref<BackendQueue> usual = backend(device).default_queue(device.index());
  return current_on(device).usual = std::move(usual);  // `here` may have moved
}

Ref<BackendQueue> set_current_queue(const Device& device, Ref<BackendQueue> queue) {
  return std::exchange(current_on(device).chosen, std::move(queue));
}

std::shared_ptr<std::atomic<bool>> begin_on_queue(const Device& device, Ref<BackendQueue> queue) {
  return current_on(device).scopes.begin(std::move(queue));
}

void forget_ended_queues(const Device& device) noexcept {
  if (!current.get()) return;
  for (Current& entry : *current)
    if (entry.device == device) entry.scopes.forget_ended();
}

void set_queue_hook(QueueHook hook) { queue_hook.store(hook); }

Ref<BackendQueue> own_queue(const Ref<BackendContext>& context) {
  Backend& b = backend(context->device);
  const int index = context->device.index();
  if (b.default_context(index) == context) return b.default_queue(index);
  std::vector<Ref<BackendQueue>> abandoned;  // dropped after the lock
  Lists& l = lists();
  const auto find = [&] {
    return std::ranges::find(l.own, context, [](const Ref<BackendQueue>& q) { return q->context; });
  };
  {
    const std::lock_guard lock(l.lock);
    if (const auto found = find(); found != l.own.end()) return *found;
    abandoned.reserve(l.own.size());  // while the list changes nothing may fail
    std::erase_if(l.own, [&](Ref<BackendQueue>& queue) {
      const bool is_over = queue->references() == 1 && queue->context->references() == 1;
      if (is_over) abandoned.push_back(std::move(queue));
      return is_over;
    });
  }
  Ref<BackendQueue> made = b.make_queue(context);
  const std::lock_guard lock(l.lock);
  if (const auto found = find(); found != l.own.end()) return *found;  // another thread was first
  l.own.push_back(made);
  return made;
}

Ref<BackendQueue> queue_in(const Ref<BackendContext>& context, const Device& device) {
  Ref<BackendQueue> queue = current_backend_queue(device);
  const Ref<BackendContext> wanted =
      context ? context : backend(device).default_context(device.index());
  return queue->context->space == wanted->space ? queue : own_queue(wanted);
}

static bool reaches(const BackendQueue& queue, const BackendMemory& memory) {
  const BackendContext* own = memory.context.get();
  return !own || own->space == queue.context->space ||
         backend(queue.context->device).can_adopt(*queue.context, memory);
}

Ref<BackendQueue> queue_reaching(Ref<BackendQueue> wanted,
                                 std::span<BackendMemory* const> memories) {
  for (const BackendMemory* memory : memories)
    if (!reaches(*wanted, *memory)) return own_queue(memory->context);
  return wanted;
}

void check_context(const BackendQueue& queue, const BackendMemory& memory) {
  if (reaches(queue, memory)) return;  // all do that have no context
  fail(Errc::device_mismatch,
       "memory of {} is not accessible to a queue of {}; work on a queue of its own context "
       "(`{}`), or copy it with {}",
       memory.context->name, queue.context->name, words().enter_queue, words().copy_to_host);
}

void note_work(const Ref<BackendQueue>& queue) {
  if (queue->has_work.load()) return;
  Lists& l = lists();
  bool are_many;
  {
    const std::lock_guard lock(l.lock);
    if (queue->has_work.load()) return;
    l.busy.push_back(queue);
    queue->has_work.store(true);
    are_many = l.busy.size() > many_queues;
  }
  if (are_many) let_go_of_abandoned();
}

/// Launches in a round; a program is at most two of them ahead of a queue.
constexpr std::uint32_t round_length = 1024;

Ref<Event> note_work(const Ref<BackendQueue>& queue, const Ref<Event>& event,
                     std::int64_t operations, Events& trash) {
  note_work(queue);
  const bool is_private = queue->is_private.load();
  if (!queue->last || queue->last->is_done()) queue->backlog = 0;
  queue->backlog += event->is_brief ? std::min(operations, brief_work) : brief_work;
  queue->backlog = std::min(queue->backlog, brief_work);
  event->is_brief = queue->backlog < brief_work;
  trash.push_back(std::exchange(queue->last, is_private ? event : nullptr));
  if (has_compiling_ended()) return event;
  if (++queue->enqueued % round_length != 0) return nullptr;
  return std::exchange(queue->milestone, event);
}

void throttle(const Ref<Event>& milestone) noexcept {
  if (!milestone) return;
  const std::chrono::seconds patience(has_compiling_ended() ? 10 : 1);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!milestone->is_done() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void synchronize(const Device& device) {
  const Unblocked unblocked;
  note_work(current_backend_queue(device));  // a user's queue may have work of the user's
  const auto queues =
      take([&](const BackendQueue& queue) { return queue.context->device == device; });
  std::size_t ended = 0;
  try {
    std::vector<Ref<Event>> ends;
    ends.reserve(queues.size());
    for (const Ref<BackendQueue>& queue : queues) ends.push_back(end_of(*queue));
    for (; ended < queues.size(); ++ended) wait_for_end(*queues[ended], ends[ended]);
  } catch (...) {
    for (; ended < queues.size(); ++ended) note_work(queues[ended]);
    throw;
  }
}

void synchronize(BackendQueue& queue) {
  const Unblocked unblocked;
  wait_for_end(queue, end_of(queue));
}

Events ends_of_all_work() {
  Events ends;
  for (const Ref<BackendQueue>& queue : take([](const BackendQueue&) { return true; })) try {
      if (Ref<Event> end = end_of(*queue)) ends.push_back(std::move(end));
    } catch (const Error&) {
      continue;
    }
  return ends;
}

}  // namespace isthmus::inline ISTHMUS_ABI
