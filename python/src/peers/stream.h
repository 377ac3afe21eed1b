// stream.h: the argument `stream` of __dlpack__ and to_device, in every spelling.
#pragma once

#include <optional>

#include "isthmus/exchange/share.h"
#include "isthmus/runtime/submit/queues.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

/// Where a consumer will work on memory of `device`. None: not known; -1: it sees to the order
/// itself; else a queue: one of ours, what sycl_queue_of takes, a pyopencl.CommandQueue, or the
/// address of a sycl::queue or cl_command_queue, whichever the device's are. Throws value for other
/// numbers, exchange for what is no queue; `who` begins the text.
Borrower borrower_of(std::string_view who, const Device& device, nb::handle stream);

/// While it lives, work of this thread goes to the queue; none for None. Throws as borrower_of,
/// value for -1, and device_mismatch for a queue of another device.
std::optional<OnQueue> on_stream(std::string_view who, const Device& device, nb::handle stream);

}  // namespace isthmus::python
