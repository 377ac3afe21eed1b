// unblocked.h: what a host language wants done around calls that may block.
#pragma once

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// `enter` lets go of a lock that this thread holds and that others may need (Python's GIL) and
/// returns what `leave` takes; null if it holds none.
struct BlockingHooks {
  void* (*enter)() = nullptr;
  void (*leave)(void*) = nullptr;
};
ISTHMUS_EXPORT void set_blocking_hooks(BlockingHooks hooks);

/// While it lives, this thread may block or call a driver. Never made or destroyed under a lock of
/// ours, since `leave` may wait for a thread that wants it.
class ISTHMUS_EXPORT Unblocked {
 public:
  explicit Unblocked(bool is_needed = true);
  ~Unblocked();
  Unblocked(const Unblocked&) = delete;

 private:
  void* state_ = nullptr;
};

}  // namespace isthmus::inline ISTHMUS_ABI
