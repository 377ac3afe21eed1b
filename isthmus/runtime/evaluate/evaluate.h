// evaluate.h: pending values to memory, and writes into memory that is there.
#pragma once

#include <span>

#include "isthmus/graph/node.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What becomes of a value for which there is no memory.
enum class Shortage : std::uint8_t {
  retry,  ///< It stays pending, and is tried again when somebody asks again.
  fail,   ///< It has failed for ever: what it reads may change from now on.
};

/// Makes the storages ready (or running on their queue: see wait). Any thread; several may ask for
/// one storage. Throws the error of a storage that failed, after all that can be made is made, and
/// out_of_memory.
ISTHMUS_EXPORT void evaluate(std::span<const Ref<Storage>> storages,
                             Shortage shortage = Shortage::retry);
inline void evaluate(const Ref<Storage>& storage) {
  if (!storage->is_ready()) evaluate(std::span(&storage, 1));
}

/// Writes `value`, broadcast and cast, into `target` (a view of `memory`): evaluates all that is
/// pending and would read what is overwritten, then enqueues the write, fused with the value.
/// Operands that overlap the target give what NumPy gives. Throws as evaluate does, and then has
/// written nothing.
ISTHMUS_EXPORT void write(const Ref<Storage>& storage, const Layout& target, Operand value);

/// Writes elements of `value`, broadcast to `shape` and cast, at int64 positions of `target`, a
/// dense row, but where a position is negative: as write() does. `how` says what comes of equal
/// positions, in row-major order, and whether values are added to what is there.
ISTHMUS_EXPORT void write_at(const Ref<Storage>& storage, const Layout& target, Operand value,
                             Operand positions, const Dims& shape, Store how);

/// Evaluates whatever is pending and reads this memory, before others may write to it. An error
/// stays with the value, for ever.
ISTHMUS_EXPORT void evaluate_readers(BackendMemory& memory);

/// Blocks until the host may read (or write, if `for_writing`) the evaluated storage; throws the
/// error of the work that failed, and again each time.
ISTHMUS_EXPORT void wait(const Ref<Storage>& storage, bool for_writing = false);

}  // namespace isthmus::inline ISTHMUS_ABI
