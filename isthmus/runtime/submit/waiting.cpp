// waiting.cpp: a driver's wait cannot be interrupted, so that another thread does it where it is
// long.
#include "isthmus/runtime/submit/waiting.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "isthmus/base/error.h"
#include "isthmus/base/generation.h"
#include "isthmus/base/log.h"
#include "isthmus/base/per_thread.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using Clock = std::chrono::steady_clock;

/// Waits in the driver for a thread that looks after signals meanwhile.
class Helper {
 public:
  /// Throws system_error if there can be no more threads.
  static std::shared_ptr<Helper> make() {
    auto helper = std::make_shared<Helper>();
    std::thread([helper] { helper->work(); }).detach();
    return helper;
  }

  /// Whether the event has ended before the time was up; a null one is what was given last.
  bool wait(Ref<Event> event, Clock::duration most) {
    std::unique_lock hold(lock_);
    if (event) {
      event_ = std::move(event);
      changed_.notify_all();
    }
    return changed_.wait_for(hold, most, [&] { return !event_; });
  }

  /// It ends when its wait has ended.
  void leave() {
    const std::lock_guard hold(lock_);
    is_left_ = true;
    changed_.notify_all();
  }

 private:
  void work() {
    std::unique_lock hold(lock_);
    for (;;) {
      changed_.wait(hold, [&] { return event_ || is_left_; });
      if (is_left_) return;
      Ref<Event> event = event_;
      hold.unlock();
      try {
        event->wait();
      } catch (const Error& error) {  // whoever wanted the event asks it again
        detail::log(Channel::runtime, Level::debug, "wait: {}", error.what());
      }
      event = nullptr;
      hold.lock();
      event_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  Ref<Event> event_;
  bool is_left_ = false;
};

/// This thread's helper, from its first long wait on; none in a forked child, where its thread is
/// not.
struct Mine {
  std::shared_ptr<Helper> helper;
  std::uint32_t generation = 0;
  ~Mine() { leave(); }
  void leave() {
    if (helper && generation == isthmus::generation()) helper->leave();
    helper = nullptr;
  }
  Helper& get() {
    if (!helper || generation != isthmus::generation()) helper = Helper::make();
    generation = isthmus::generation();
    return *helper;
  }
};
constinit thread_local detail::PerThread<Mine> mine;

/// Handing the wait over takes some microseconds; most waits end before that would pay.
bool ends_soon(Event& event) {
  const auto until = Clock::now() + std::chrono::microseconds(20);
  do
    if (event.is_done()) return true;
  while (Clock::now() < until);
  return false;
}

void wait_with_helper(const Ref<Event>& event) {
  constexpr auto slice = std::chrono::milliseconds(20);
  Helper& helper = mine->get();
  bool has_ended = helper.wait(event, slice);
  while (!has_ended) {
    try {
      poll_interrupt();
    } catch (...) {
      mine->leave();
      throw;
    }
    has_ended = helper.wait(nullptr, slice);
  }
}

}  // namespace

void wait_for(const Ref<Event>& event) {
  const bool is_noted = bool(event->run.pace), was_done = is_noted && event->is_done();
  if (!event->is_brief && !event->is_done() && is_interrupt_heard() && !ends_soon(*event)) try {
      wait_with_helper(event);
    } catch (const std::system_error&) {
      poll_interrupt();  // no thread to be had: the last time before a wait that nothing interrupts
    }
  event->join();
  if (is_noted) event->run.note_end(!was_done);
}

}  // namespace isthmus::inline ISTHMUS_ABI
