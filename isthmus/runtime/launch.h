// launch.h: one lowered kernel to its device.
#pragma once

#include "isthmus/codegen/lower.h"
#include "isthmus/runtime/evaluate.h"

namespace isthmus {

/// Allocates the outputs (the last one is `target` if there is one), enqueues the kernel behind
/// the work it depends on and notes it as the last on what it touches. Storages it reads are
/// ready. Returns the outputs' memories. Throws what the backend throws.
std::vector<Ref<Memory>> launch(Lowered& kernel, const View* target);

/// Evaluates a pending storage if it is one small operation of the host on values that are there;
/// whether it was. Its error, if any, stays with it.
bool run_alone(Storage& storage);

/// Counts a kernel that the host executor ran for the `cpu` device.
void count_host_kernel(std::int64_t steps);

/// Counters of launch(); see statistics().
Statistics launch_statistics();

}  // namespace isthmus
