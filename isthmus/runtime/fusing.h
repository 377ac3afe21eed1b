// fusing.h: the promise that nobody writes to shared memory meanwhile, so that reading it can wait.
#pragma once

#include "isthmus/graph/node.h"

namespace isthmus {

/// Evaluates what was put off inside a promise that has ended. Errors stay with their arrays, and
/// signals wait until it is done.
ISTHMUS_EXPORT void end_fusing() noexcept;
/// Notes that a pending value reads memory that others can reach.
void note_put_off(const Ref<Storage>& storage);

/// Whether reading shared memory may be put off in this thread: the user's promise that nobody
/// writes meanwhile. Nests; the end of the outermost evaluates what was put off.
class ISTHMUS_EXPORT Fusing {
 public:
  Fusing() { ++depth(); }
  ~Fusing() {
    if (--depth() == 0 && !is_on()) end_fusing();
  }
  Fusing(const Fusing&) = delete;
  static bool is_on();

 private:
  static int& depth();
};
/// While one lives, what this thread calculates stays pending, over shared memory and in eager mode
/// too: it is written to an array at once, by the same kernel.
class ISTHMUS_EXPORT WrittenAtOnce {
 public:
  WrittenAtOnce();
  ~WrittenAtOnce();
  WrittenAtOnce(const WrittenAtOnce&) = delete;
  static bool is_on();

 private:
  Fusing fusing_;
};
/// A host language's own way to say so; asked when an operation reads shared memory.
ISTHMUS_EXPORT void set_fusing_hook(bool (*is_fusing)());

}  // namespace isthmus
