// run_here.h: maps that the host runs at once, on memory of any device, in the places of kernels.
#pragma once

#include <span>
#include <string_view>

#include "isthmus/codegen/program.h"
#include "isthmus/core/queue.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Whether config.inline has a loop of so many elements run by the host, where it reaches them.
ISTHMUS_EXPORT bool is_inline(std::int64_t elements);
/// Whether it has all of them run so, and waited for.
bool is_inline_always();
/// The same of a device that is a CPU, if the host has to wait for nothing.
bool is_inline_at_rest(std::int64_t elements);

/// Whether the host does work of this device that the caller waits for, whatever its size, in
/// memory that it reaches: its own, and what config.inline has it do for CPUs.
ISTHMUS_EXPORT bool host_works_for(const Device& device);
/// Counts work that the host has done for the device, and records it if `begin`, profiled_now() as
/// it began, is not 0.
ISTHMUS_EXPORT void note_host_work(std::string_view operation, const Dims& loop,
                                   const Device& device, std::int64_t begin);

/// Runs a map over `count` elements of dense memory: arguments have a memory and an offset, or a
/// number, and an output has no memory that overlaps another one's, but that of one input at the
/// same place. False, and nothing was done, if the host cannot do it now in place of a kernel on
/// the queue: it does not reach the memory, work that is known of has not ended or others may put
/// some there unseen, pending values are to be made of what is there, it may not be written, or
/// somebody is about to put work on the queue.
ISTHMUS_EXPORT bool run_here(const Program& program, BackendQueue& queue, std::int64_t count,
                             std::span<Argument> inputs, std::span<Argument> outputs);

}  // namespace isthmus::inline ISTHMUS_ABI
