// event_list.h: the list `events` of a pyopencl.array.Array, which it and we keep together.
#pragma once

#include "isthmus/core/memory.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

/// What is in such a list now is taken to be known if `is_known`. pyopencl waits for all of it
/// before it works on the array, on whatever queue, and enters its own work there. Of our events on
/// one queue only the last is kept in it. `space` is that of the context of the array's queues.
Ref<SharedEvents> event_list_of(nb::list list, std::uintptr_t space, bool is_known);

}  // namespace isthmus::python
