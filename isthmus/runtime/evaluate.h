// evaluate.h: pending values to memory, and writes into memory that is there.
#pragma once

#include <span>

#include "isthmus/graph/node.h"
#include "isthmus/graph/partition.h"
#include "isthmus/runtime/backend.h"

namespace isthmus {

/// Makes the storages ready (or running on their queue: see wait). Any thread; several may ask for
/// one storage. Throws the error of a storage that failed, after all that can be made is made.
ISTHMUS_EXPORT void evaluate(std::span<const Ref<Storage>> storages);
inline void evaluate(const Ref<Storage>& storage) {
  if (!storage->is_ready()) evaluate(std::span(&storage, 1));
}

/// Writes `value`, broadcast and cast, into `target` (a view of `memory`): evaluates all that is
/// pending and would read what is overwritten, then enqueues the write, fused with the value.
/// Operands that overlap the target give what NumPy gives. Throws as evaluate does.
ISTHMUS_EXPORT void write(const Ref<Storage>& storage, const Layout& target, Operand value);

/// Evaluates whatever is pending and reads this memory, before others may write to it.
ISTHMUS_EXPORT void evaluate_readers(Memory& memory);

/// Blocks until the host may read (or write, if `for_writing`) the evaluated storage; throws the
/// error of the work that failed, and again each time.
ISTHMUS_EXPORT void wait(const Ref<Storage>& storage, bool for_writing = false);

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
/// A host language's own way to say so; asked when an operation reads shared memory.
ISTHMUS_EXPORT void set_fusing_hook(bool (*is_fusing)());

/// Asked between kernels and while waiting; throws interrupted if the user wants to stop. Null: no.
using InterruptPoll = void (*)();
ISTHMUS_EXPORT void set_interrupt_poll(InterruptPoll poll);

/// Where small programs on host memory run: ISTHMUS_INLINE, or what the user set.
enum class Inline : std::uint8_t { never, always, automatic };
ISTHMUS_EXPORT Inline inline_policy();
ISTHMUS_EXPORT void set_inline_policy(Inline policy);

/// Whether operations run when they are called: ISTHMUS_EAGER=1.
ISTHMUS_EXPORT bool is_eager();
ISTHMUS_EXPORT void set_eager(bool eager);

/// What happened so far in this process.
struct Statistics {
  std::int64_t kernels = 0;   ///< Programs run, wherever.
  std::int64_t launched = 0;  ///< ... by a backend, on a queue of its.
  std::int64_t inlined = 0;   ///< ... by the host executor, for a device that is not `cpu`.
  std::int64_t steps = 0;     ///< Operations in them.
  std::int64_t copies = 0;    ///< Transfers between memories.
  std::int64_t stops[static_cast<int>(Stop::count_)] = {};  ///< Why fusion ended, see Stop.
};
ISTHMUS_EXPORT Statistics statistics();
/// For copies that other layers make.
ISTHMUS_EXPORT void count_copy();

}  // namespace isthmus
