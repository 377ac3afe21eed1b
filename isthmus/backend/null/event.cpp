// event.cpp: waiting for the end of a command.
#include "isthmus/backend/null/event.h"

namespace isthmus::null {

using detail::format;

std::atomic<std::int64_t>& Alive::count() {
  static std::atomic<std::int64_t> count{0};
  return count;
}

// A forked child never sees the end of what was pending: it counts as ended, and badly.
bool NullEvent::is_done() noexcept {
  return state_.load(std::memory_order_acquire) != pending || is_orphaned();
}

bool NullEvent::has_failed() noexcept {
  const int state = state_.load(std::memory_order_acquire);
  return state == failed || (state == pending && is_orphaned());
}

void NullEvent::wait() {
  while (state_.load(std::memory_order_acquire) == pending) {
    check(!is_orphaned(), Errc::launch, "null_wait: the work was lost when the process forked");
    state_.wait(pending, std::memory_order_acquire);
  }
  if (state_.load(std::memory_order_acquire) == failed) error_->raise();
}

std::optional<Interval> NullEvent::ran() noexcept {
  if (state_.load(std::memory_order_acquire) == pending) return {};
  return interval;
}

std::shared_ptr<const Error> NullEvent::first_error() {
  try {
    wait();
  } catch (const Error& error) {
    if (is_inherited_ || !describe) return error.share();
    return make_error(error.code(), format("{}: {}", describe(), error.what()));
  }
  return nullptr;
}

void NullEvent::finish(std::shared_ptr<const Error> error, bool is_inherited) {
  error_ = std::move(error);
  is_inherited_ = is_inherited;
  state_.store(error_ ? failed : done, std::memory_order_release);
  state_.notify_all();
}

}  // namespace isthmus::null
