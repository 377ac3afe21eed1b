// run_here.h: maps that the host runs at once, on memory of any device, in the places of kernels.
#pragma once

#include <span>

#include "isthmus/codegen/program.h"
#include "isthmus/core/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether config.inline has a loop of so many elements run by the host, where it reaches them.
ISTHMUS_EXPORT bool is_inline(std::int64_t elements);

/// Runs a map over `count` elements of dense memory: arguments have a memory and an offset, or a
/// number, and an output has no memory that overlaps another one's, but that of one input at the
/// same place. False, and nothing was done, if the host cannot do it now in place of a kernel on
/// the queue: it does not reach the memory, work that is known of has not ended or others may put
/// some there unseen, pending values are to be made of what is there, it may not be written, or
/// somebody is about to put work on the queue.
ISTHMUS_EXPORT bool run_here(const Program& program, BackendQueue& queue, std::int64_t count,
                             std::span<Argument> inputs, std::span<Argument> outputs);

}  // namespace isthmus::inline ISTHMUS_ABI
