// event.cpp: waiting for the end of a command.
#include "isthmus/backend/null/event.h"

#include <pthread.h>

namespace isthmus::null {

namespace {
std::atomic<bool> forked{false};
[[maybe_unused]] const int fork_hook =
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
}  // namespace

std::atomic<std::int64_t>& Alive::count() {
  static std::atomic<std::int64_t> count{0};
  return count;
}

bool is_forked() { return forked.load(std::memory_order_relaxed); }

void fail_after_fork(const char* name) {
  fail(Errc::launch,
       "{}: a driver cannot be used after fork; use cpu here, or start the process anew", name);
}

// A forked child never sees the end of what was pending: it counts as ended, and badly.
bool NullEvent::is_done() noexcept {
  return state_.load(std::memory_order_acquire) != pending || is_forked();
}

bool NullEvent::has_failed() noexcept {
  const int state = state_.load(std::memory_order_acquire);
  return state == failed || (state == pending && is_forked());
}

void NullEvent::wait() {
  while (state_.load(std::memory_order_acquire) == pending) {
    if (is_forked()) fail_after_fork("null_wait");
    state_.wait(pending, std::memory_order_acquire);
  }
  if (state_.load(std::memory_order_acquire) == failed) throw Error(*error_);
}

void NullEvent::finish(std::shared_ptr<const Error> error) {
  error_ = std::move(error);
  state_.store(error_ ? failed : done, std::memory_order_release);
  state_.notify_all();
}

}  // namespace isthmus::null
