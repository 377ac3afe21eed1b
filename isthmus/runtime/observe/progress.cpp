// progress.cpp: a thread that watches builds, started by the first that somebody wants to hear of.
#include "isthmus/runtime/observe/progress.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "isthmus/base/environment.h"
#include "isthmus/base/format.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<BuildHook> hook{nullptr};

bool is_wanted() {
  if (hook.load(std::memory_order_relaxed)) return true;
  const int choice = choose("ISTHMUS_PROGRESS", {"auto", "0", "1"});
  return choice == 2 || (choice == 0 && isatty(STDERR_FILENO));
}

/// The builds since none was under way.
struct Builds {
  int done = 0, total = 0;
  std::string device;
  Clock::time_point since;
  bool are_over() const { return done == total; }
};

void print(const Builds& builds) {
  const std::string line = format("\risthmus: building {} kernel{} for {} ... {}/{}{}",
                                  builds.total, builds.total == 1 ? "" : "s", builds.device,
                                  builds.done, builds.total, builds.are_over() ? "\n" : "");
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

class Watcher {
 public:
  bool begin(const std::string& device) {
    const std::lock_guard lock(mutex_);
    if (!has_thread_) try {
        std::thread([this] { watch(); }).detach();
        has_thread_ = true;
      } catch (const std::system_error&) {
        return false;  // nobody is told; the build goes on
      }
    if (now_.are_over()) now_ = {0, 0, {}, Clock::now()};
    ++now_.total;
    now_.device = device;
    ++changes_;
    changed_.notify_all();
    return true;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ++now_.done;
    ++changes_;
    changed_.notify_all();
  }

 private:
  [[noreturn]] void watch() {
    std::unique_lock lock(mutex_);
    bool has_line = false;
    for (unsigned seen = 0;; seen = changes_) {
      changed_.wait(lock, [&] { return changes_ != seen; });
      const BuildHook to = hook.load();
      const auto patience = now_.since + std::chrono::seconds(1);
      const auto is_over = [&] { return now_.are_over(); };
      if (!to && !has_line && changed_.wait_until(lock, patience, is_over)) continue;
      const Builds builds = now_;
      has_line = !to && !builds.are_over();
      lock.unlock();  // a hook may wait for whoever waits for this lock
      to ? to(builds.done, builds.total, builds.device.c_str()) : print(builds);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Builds now_;
  unsigned changes_ = 0;
  bool has_thread_ = false;
};

/// Leaked: it watches until the process is gone. A forked child has no such thread, and another's
/// lock; it begins anew.
std::atomic<Watcher*> current{nullptr};

Watcher& watcher() {
  static const int at_fork = pthread_atfork(nullptr, nullptr, [] { current.store(nullptr); });
  static_cast<void>(at_fork);
  if (Watcher* found = current.load(std::memory_order_acquire)) return *found;
  auto made = std::make_unique<Watcher>();
  Watcher* expected = nullptr;
  if (current.compare_exchange_strong(expected, made.get())) return *made.release();
  return *expected;
}

}  // namespace

Building::Building(const std::string& device) : is_told_(is_wanted() && watcher().begin(device)) {}

Building::~Building() {
  if (is_told_) watcher().end();
}

void set_build_hook(BuildHook to) { hook.store(to); }

}  // namespace isthmus::inline ISTHMUS_ABI
