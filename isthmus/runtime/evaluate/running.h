// running.h: values that some thread calculates now, and who waits for them.
#pragma once

#include <mutex>

#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Blocks until nobody calculates `storage` any more. Needs graph_lock, and lets go of it
/// meanwhile. In a forked child, a value that a thread of the parent was calculating fails.
void wait_while_running(const Ref<Storage>& storage, std::unique_lock<Mutex>& lock);

/// After storages have settled (ready, failed or pending again). Costs nothing while nobody waits.
void tell_settled();

}  // namespace isthmus::inline ISTHMUS_ABI
