// interrupts.cpp: the host language's hooks, which any thread asks.
#include "isthmus/threads/interrupts.h"

#include <atomic>

namespace isthmus::inline ISTHMUS_ABI {

namespace {

// Two, since neither means anything to a thread that finds only the other.
std::atomic<void (*)()> poll{nullptr};
std::atomic<bool (*)()> is_heard{nullptr};

}  // namespace

thread_local bool Uninterruptible::is_on = false;
thread_local bool Interruptible::is_on = false;
thread_local std::chrono::steady_clock::time_point Interruptible::next_;

bool is_interrupt_heard() {
  const auto asked = is_heard.load(std::memory_order_acquire);
  return asked && asked() && !Uninterruptible::is_on;
}

void set_interrupts(Interrupts wanted) {
  poll.store(wanted.poll);
  is_heard.store(wanted.is_heard_here);
}

void poll_interrupt() {
  if (Uninterruptible::is_on) return;
  if (const auto asked = poll.load(std::memory_order_acquire)) asked();
}

void listen() {
  constexpr auto patience = std::chrono::milliseconds(50);
  using Time = std::chrono::steady_clock::time_point;
  Time& next = Interruptible::next_;
  const Time now = std::chrono::steady_clock::now();
  if (now < next) return;
  if (next != Time() && is_interrupt_heard()) poll_interrupt();
  next = now + patience;
}

}  // namespace isthmus::inline ISTHMUS_ABI
