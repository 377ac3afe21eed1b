// fusing.h: the promise that nobody writes to shared memory meanwhile, so that reading it can wait.
#pragma once

#include <atomic>
#include <memory>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// While it lives, reading shared memory may be put off in the thread that made it: the user's
/// promise that nobody writes meanwhile. Nests; the end of a thread's last one evaluates what was
/// put off. It may end on another thread, which ends the promise of the first one.
class ISTHMUS_EXPORT Fusing {
 public:
  /// Promises, for this thread.
  [[nodiscard("it ends with the statement: give it a name")]] Fusing();
  /// Ends the promise; throws nothing.
  ~Fusing();
  Fusing(const Fusing&) = delete;
  Fusing& operator=(const Fusing&) = delete;
  /// Whether this thread has given the promise.
  static bool is_on();

 private:
  std::shared_ptr<std::atomic<int>> promises_;  // of the thread that made it
};
}  // namespace isthmus::inline ISTHMUS_ABI
