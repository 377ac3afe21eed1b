// queue_object.h: the Python classes Queue and Context.
#pragma once

#include "isthmus/runtime/backend.h"
#include "python/src/object/array_object.h"

namespace isthmus::python {

/// Our Queue or Context in a Python object; null if it is none of ours.
Ref<BackendQueue> as_queue(nb::handle object);
Ref<BackendContext> as_context(nb::handle object);

/// A backend that is opened, without the GIL, when it is first asked for; `kept`, which the GIL
/// guards, has it then. Backends live as long as the process.
Backend& kept_backend(Backend*& kept, const char* name);
/// The queue at an address that a user wrote. Throws exchange where none can be.
Ref<BackendQueue> queue_at(const Device& device, std::uintptr_t address);

/// A new Python object.
nb::object queue_object(Ref<BackendQueue> queue);
nb::object context_object(Ref<BackendContext> context);

}  // namespace isthmus::python
