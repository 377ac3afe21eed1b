// fusing.h: the promise that nobody writes to shared memory meanwhile, so that reads can be
// delayed.
#pragma once

#include <atomic>
#include <memory>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// While it lives, reads of shared memory may be delayed in the thread that created it: the user
/// promises that nobody writes meanwhile. Nests; the end of the last one of a thread evaluates what
/// was delayed. It may end on another thread, which ends the promise of the first thread.
class ISTHMUS_EXPORT Fusing {
 public:
  /// Begins the promise for this thread.
  [[nodiscard("it ends with the statement: give it a name")]] Fusing();
  /// Ends the promise; never throws.
  ~Fusing();
  Fusing(const Fusing&) = delete;
  Fusing& operator=(const Fusing&) = delete;
  /// Whether this thread has given the promise.
  static bool is_on();

 private:
  std::shared_ptr<std::atomic<int>> promises_;  // of the thread that made it
};
}  // namespace isthmus::inline ISTHMUS_ABI
