// fusing.h: the promise that nobody writes to shared memory meanwhile, so that reading it can wait.
#pragma once

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether reading shared memory may be put off in this thread: the user's promise that nobody
/// writes meanwhile. Nests; the end of the outermost evaluates what was put off.
class ISTHMUS_EXPORT Fusing {
 public:
  Fusing();
  ~Fusing();
  Fusing(const Fusing&) = delete;
  Fusing& operator=(const Fusing&) = delete;
  /// Whether this thread has given the promise.
  static bool is_on();
};
}  // namespace isthmus::inline ISTHMUS_ABI
