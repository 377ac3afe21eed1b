// running.cpp: waiting for what another thread calculates.
#include "isthmus/runtime/running.h"

#include <atomic>
#include <chrono>
#include <condition_variable>

#include "isthmus/runtime/unblocked.h"

namespace isthmus {

namespace {

std::atomic<InterruptPoll> interrupt_poll{nullptr};

/// Signalled when running storages become ready or fail. Leaked with its lock (graph_lock).
std::condition_variable_any& settled() {
  static auto& condition = *new std::condition_variable_any;
  return condition;
}

/// Threads that wait for it; they count themselves under graph_lock, before they look at a state.
std::atomic<std::int32_t> waiters{0};

}  // namespace

thread_local bool Uninterruptible::is_on = false;

void set_interrupt_poll(InterruptPoll poll) { interrupt_poll.store(poll); }

void poll_interrupt() {
  if (Uninterruptible::is_on) return;
  if (const InterruptPoll poll = interrupt_poll.load(std::memory_order_acquire)) poll();
}

void tell_settled() {
  if (waiters.load(std::memory_order_acquire) > 0) settled().notify_all();
}

void wait_while_running(const Ref<Storage>& storage, std::unique_lock<Mutex>& lock) {
  while (storage->state() == Storage::State::running) {
    lock.unlock();
    {
      const Unblocked unblocked;  // who calculates it may want what we hold
      lock.lock();
      ++waiters;
      if (storage->state() == Storage::State::running)
        settled().wait_for(lock, std::chrono::milliseconds(50));
      --waiters;
      lock.unlock();
    }
    poll_interrupt();
    lock.lock();
  }
}

}  // namespace isthmus
