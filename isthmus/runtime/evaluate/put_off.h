// put_off.h: what is put off on the strength of a promise that nobody writes; see fusing.h.
#pragma once

#include "isthmus/graph/node.h"
#include "isthmus/runtime/evaluate/fusing.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Evaluates what was put off inside a promise that has ended. Errors stay with their arrays, and
/// signals wait until it is done.
ISTHMUS_EXPORT void end_fusing() noexcept;
/// Notes that a pending value reads memory that others can reach.
void note_put_off(const Ref<Storage>& storage);

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

}  // namespace isthmus::inline ISTHMUS_ABI
