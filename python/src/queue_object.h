// queue_object.h: the Python classes Queue and Context.
#pragma once

#include "python/src/array_object.h"

namespace isthmus::python {

/// Our Queue or Context in a Python object; null if it is none of ours.
Ref<Queue> as_queue(nb::handle object);
Ref<Context> as_context(nb::handle object);

/// A new Python object.
nb::object queue_object(Ref<Queue> queue);
nb::object context_object(Ref<Context> context);

}  // namespace isthmus::python
