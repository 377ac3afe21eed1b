// waiting.h: blocking until work has ended, without keeping a signal's handler from running.
#pragma once

#include "isthmus/core/device.h"
#include "isthmus/core/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How a host language learns that the user wants to stop. `poll` is asked between kernels and
/// while waiting, and throws interrupted; `is_heard_here` says whether it could, in this thread.
struct Interrupts {
  void (*poll)() = nullptr;
  bool (*is_heard_here)() = nullptr;
};
ISTHMUS_EXPORT void set_interrupts(Interrupts interrupts);
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
  explicit Interruptible(bool is_so) : before_(is_on) { is_on = is_so; }
  ~Interruptible() { is_on = before_; }
  Interruptible(const Interruptible&) = delete;
  static thread_local bool is_on;

 private:
  const bool before_;
};
/// Whether a signal could be heard in this thread now.
bool is_interrupt_heard();

/// Blocks until the work has ended; throws its error, with what it was (Event::join), or
/// interrupted, which leaves the work to go on by itself. Needs no lock held.
ISTHMUS_EXPORT void wait_for(const Ref<Event>& event);

}  // namespace isthmus::inline ISTHMUS_ABI
