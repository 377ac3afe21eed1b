// queue_object.h: the Python classes Queue and Context.
#pragma once

#include "isthmus/runtime/backend.h"
#include "python/src/array_object.h"

namespace isthmus::python {

/// Our Queue or Context in a Python object; null if it is none of ours.
Ref<Queue> as_queue(nb::handle object);
Ref<Context> as_context(nb::handle object);

/// A backend that is opened, without the GIL, when it is first asked for; `kept`, which the GIL
/// guards, has it then. Backends live as long as the process.
Backend& kept_backend(Backend*& kept, const char* name);
/// The queue at an address that a user wrote. Throws exchange where none can be.
Ref<Queue> queue_at(const Device& device, std::uintptr_t address);

/// A new Python object.
nb::object queue_object(Ref<Queue> queue);
nb::object context_object(Ref<Context> context);

}  // namespace isthmus::python
