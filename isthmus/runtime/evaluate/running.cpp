// running.cpp: waiting for what another thread calculates.
#include "isthmus/runtime/evaluate/running.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>

#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/runtime/unblocked.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Signalled when running storages become ready or fail, and the threads that wait for it; they
/// count themselves under graph_lock, before they look at a state.
struct Settled {
  std::condition_variable_any condition;
  std::atomic<std::int32_t> waiters{0};
};

/// Leaked with its lock (graph_lock). A forked child starts a new one: the threads that wait for
/// the parent's are not there.
std::atomic<Settled*> current{new Settled};
[[maybe_unused]] const int running_at_fork =
    pthread_atfork(nullptr, nullptr, [] { current.store(new Settled); });

Settled& settled() { return *current.load(std::memory_order_acquire); }

/// Needs graph_lock, and lets go of it meanwhile.
void fail_orphan(Storage& storage, std::unique_lock<Mutex>& lock) {
  std::unique_ptr<Node> node =
      storage.finish(make_error(Errc::launch,
                                "evaluate: another thread was calculating the value when this "
                                "process was forked; create it again here"));
  lock.unlock();
  node = nullptr;
  lock.lock();
}

}  // namespace

[[gnu::hot]] void tell_settled() {
  Settled& s = settled();
  if (s.waiters.load(std::memory_order_acquire) > 0) s.condition.notify_all();
}

void wait_while_running(const Ref<Storage>& storage, std::unique_lock<Mutex>& lock) {
  while (storage->state() == Storage::State::running) {
    if (storage->is_orphaned()) return fail_orphan(*storage, lock);
    lock.unlock();
    {
      const Unblocked unblocked;  // who calculates it may want what we hold
      lock.lock();
      Settled& s = settled();
      ++s.waiters;
      if (storage->state() == Storage::State::running)
        s.condition.wait_for(lock, std::chrono::milliseconds(50));
      --s.waiters;
      lock.unlock();
    }
    poll_interrupt();
    lock.lock();
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
