// running.h: values that some thread calculates now, and who waits for them.
#pragma once

#include <mutex>

#include "isthmus/graph/node.h"

namespace isthmus {

/// Asked between kernels and while waiting; throws interrupted if the user wants to stop. Null: no.
using InterruptPoll = void (*)();
ISTHMUS_EXPORT void set_interrupt_poll(InterruptPoll poll);
void poll_interrupt();

/// What its scope evaluates must be finished: a signal waits for its turn.
class Uninterruptible {
 public:
  Uninterruptible() { is_on = true; }
  ~Uninterruptible() { is_on = false; }
  Uninterruptible(const Uninterruptible&) = delete;
  static thread_local bool is_on;
};

/// Blocks until nobody calculates `storage` any more. Needs graph_lock, and lets go of it
/// meanwhile.
void wait_while_running(const Ref<Storage>& storage, std::unique_lock<Mutex>& lock);

/// After storages have settled (ready, failed or pending again). Costs nothing while nobody waits.
void tell_settled();

}  // namespace isthmus
