// queue.cpp: the key functions of contexts, queues and events.
#include "isthmus/core/queue.h"

#include <atomic>
#include <chrono>

#include "isthmus/base/error.h"
#include "isthmus/base/log.h"

namespace isthmus::inline ISTHMUS_ABI {

std::int64_t now_in_nanoseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Pace::Run::note_end(bool was_waited_for) const noexcept {
  constexpr std::int64_t brief = 10'000'000;
  std::atomic<std::size_t>& known = pace->items_;
  if (now_in_nanoseconds() - begin > brief) {
    if (was_waited_for && items <= known.load()) known.store(0);
  } else if (items > known.load()) {
    known.store(items);
  }
}

BackendContext::~BackendContext() = default;
Event::~Event() = default;
std::optional<Interval> Event::ran() noexcept { return {}; }
std::uintptr_t Event::native_in(std::uintptr_t) noexcept { return 0; }

void Event::join() {
  try {
    wait();
  } catch (const Error& error) {
    if (!describe) throw;
    fail(error.code(), "{}: {}", describe(), error.what());
  }
}

void Event::settle() noexcept {
  try {
    wait();
  } catch (const std::exception& error) {
    detail::log(Channel::runtime, Level::debug, "work that nobody waits for: {}", error.what());
  }
}

static std::atomic<std::uint64_t> queues{0};

BackendQueue::BackendQueue(Ref<BackendContext> context, std::uintptr_t native, bool is_in_order)
    : context(std::move(context)), native(native), is_in_order(is_in_order), id(++queues) {}
BackendQueue::~BackendQueue() = default;

}  // namespace isthmus::inline ISTHMUS_ABI
