// stream.h: the argument `stream` of __dlpack__, in every spelling.
#pragma once

#include "isthmus/exchange/share.h"
#include "python/src/array_object.h"

namespace isthmus::python {

/// Where a consumer will work on memory of `device`. None: not known; -1: it sees to the order
/// itself; else a queue: one of ours, what sycl_queue_of takes, a pyopencl.CommandQueue, or the
/// address of a sycl::queue or cl_command_queue, whichever the device's are. Throws value for other
/// numbers, exchange for what is no queue.
Guest guest_of(const Device& device, nb::handle stream);

}  // namespace isthmus::python
