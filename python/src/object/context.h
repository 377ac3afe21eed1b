// context.h: what `with` sets in this thread or task: promises, the device, the queue, copies.
#pragma once

#include <nanobind/nanobind.h>

#include "isthmus/core/queue.h"
#include "python/src/object/blocks.h"

namespace isthmus::python {

/// The blocks of `with queue:`, by their BackendQueue objects.
extern Blocks queue_blocks;

/// Before this thread lets go of the GIL: what holds here, for when it cannot be asked.
void note_queues_here();
/// It has the GIL again.
void forget_queues_here() noexcept;

/// Makes the variables, and the classes and methods that set them.
void bind_context(nanobind::module_& m);

}  // namespace isthmus::python
