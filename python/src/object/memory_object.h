// memory_object.h: the Python class that memory objects derive from.
#pragma once

#include "python/src/object/array_object.h"

namespace isthmus::python {

/// The bytes of one of our memory objects, as an array of uint8; null if it is none.
const Array* bytes_of_memory(nb::handle object);

}  // namespace isthmus::python
