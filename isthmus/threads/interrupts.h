// interrupts.h: how long work learns that the user wants to stop.
#pragma once

#include <chrono>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How a host language learns that the user wants to stop. `poll` is asked between kernels and
/// while waiting, and throws interrupted; `is_heard_here` says whether it could, in this thread.
struct Interrupts {
  void (*poll)() = nullptr;
  bool (*is_heard_here)() = nullptr;
};
ISTHMUS_EXPORT void set_interrupts(Interrupts interrupts);
/// Throws interrupted if the user wants to stop and nothing forbids it here.
void poll_interrupt();

/// What its scope evaluates must be finished: a signal waits for its turn.
class ISTHMUS_EXPORT Uninterruptible {
 public:
  Uninterruptible() { is_on = true; }
  ~Uninterruptible() { is_on = false; }
  Uninterruptible(const Uninterruptible&) = delete;
  static thread_local bool is_on;
};

/// While it lives, loops of the host executor that this thread starts may be interrupted: what they
/// write is new memory, which is dropped then.
class ISTHMUS_EXPORT Interruptible {
 public:
  explicit Interruptible(bool is_so) : before_(is_on) {
    if (is_so && !before_) next_ = {};
    is_on = is_so;
  }
  ~Interruptible() { is_on = before_; }
  Interruptible(const Interruptible&) = delete;
  static thread_local bool is_on;

 private:
  friend void listen();
  static thread_local std::chrono::steady_clock::time_point next_;  ///< Zero: the clock is unread.
  const bool before_;
};
/// For work inside an Interruptible, between its parts: polls at most every 50 ms, since that takes
/// Python's lock. The time goes on from one loop to the next, so that many short ones are heard.
void listen();
/// Whether a signal could be heard in this thread now.
bool is_interrupt_heard();

}  // namespace isthmus::inline ISTHMUS_ABI
