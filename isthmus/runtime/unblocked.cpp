// unblocked.cpp: the hooks, kept as one atomic pair.
#include "isthmus/runtime/unblocked.h"

#include <atomic>

namespace isthmus::inline ISTHMUS_ABI {

static std::atomic<const BlockingHooks*> hooks{nullptr};

void set_blocking_hooks(BlockingHooks wanted) {
  hooks.store(new BlockingHooks(wanted));  // leaked: another thread may be in the old one
}

Unblocked::Unblocked(bool is_needed) {
  const BlockingHooks* h = is_needed ? hooks.load(std::memory_order_acquire) : nullptr;
  if (h) state_ = h->enter();
}

Unblocked::~Unblocked() {
  if (state_) hooks.load(std::memory_order_acquire)->leave(state_);
}

}  // namespace isthmus::inline ISTHMUS_ABI
