// opencl_objects.h: pyopencl's contexts, queues and events by their handles, both ways.
#pragma once

#include "python/src/object/array_object.h"

namespace isthmus::python {

/// Whether the object is one of OpenCL's that pyopencl wraps: it has a handle `int_ptr`.
bool is_pyopencl(nb::handle object);
bool is_pyopencl_queue(nb::handle object);
/// The handle of what it wraps, as an integer. Throws exchange for an object that has none.
std::uintptr_t opencl_handle_of(std::string_view who, nb::handle object);

/// What pyopencl's object names, retained. Throws exchange for what is none, and for a device that
/// Isthmus does not list; backend_unavailable where there is no OpenCL.
Ref<BackendQueue> opencl_queue_of(std::string_view who, nb::handle queue);
/// Of ours, or what pyopencl's object names. Throws type for what is neither.
Ref<BackendQueue> queue_of_either(nb::handle queue);
Ref<BackendContext> opencl_context_of(std::string_view who, nb::handle context);
Ref<Event> opencl_event_of(std::string_view who, nb::handle event);

/// Ours as a pyopencl.CommandQueue or pyopencl.Context, which shares it. Imports pyopencl. Throws
/// exchange for what is not OpenCL's.
nb::object pyopencl_queue_of(BackendQueue& queue);
nb::object pyopencl_context_of(BackendContext& context);
/// A pyopencl.Event that is ours; nothing for one that a queue of pyopencl cannot have.
nb::object pyopencl_event_of(Event& event, const BackendQueue& queue);

}  // namespace isthmus::python
