// compiling.cpp: compilers at work, counted.
#include "isthmus/runtime/kernels/compiling.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "isthmus/runtime/submit/queues.h"
#include "isthmus/threads/interrupts.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

using namespace std::chrono_literals;

std::atomic<int> at_work{0};
std::atomic<bool> has_ended{false};
std::atomic<pthread_t> ends_here{};

}  // namespace

static bool is_shut_out() noexcept {
  return has_ended.load() && ends_here.load() != pthread_self();
}

Compiling::Compiling(const char* name) {
  at_work.fetch_add(1);
  if (!is_shut_out()) [[likely]]
    return;
  at_work.fetch_sub(1);
  fail(Errc::launch, "{}: the process is ending, and the drivers' compilers end with it", name);
}

Compiling::~Compiling() { at_work.fetch_sub(1); }

bool has_compiling_ended() noexcept { return has_ended.load(std::memory_order_relaxed); }

void linger_at_the_end() noexcept {
  if (is_shut_out()) std::this_thread::sleep_for(2s);
}

void end_compiling() {
  if (is_orphaned()) return;  // those at work were the parent's
  ends_here.store(pthread_self());
  has_ended.store(true);
  const auto latest = std::chrono::steady_clock::now() + 10s;
  const auto wait_until = [&](auto is_over) {
    while (!is_over() && std::chrono::steady_clock::now() < latest) {
      poll_interrupt();
      std::this_thread::sleep_for(1ms);
    }
  };
  wait_until([] { return at_work.load() == 0; });
  for (const Ref<Event>& end : ends_of_all_work()) wait_until([&] { return end->is_done(); });
}

}  // namespace isthmus::inline ISTHMUS_ABI
