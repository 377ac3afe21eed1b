// indices.h: arrays of indices and masks, as users give them.
#pragma once

#include <optional>

#include "python/src/object/array_object.h"

namespace isthmus::python {

/// An Array as it is; lists, bools and arrays of NumPy and others as arrays where x is. Nothing for
/// other objects. Throws for what has other elements than integers and bools: index, or type if
/// masks are not taken either.
std::optional<Array> indices_of(const char* who, PyObject* object, const Array& x,
                                bool takes_masks = true);
/// The same without masks; throws type for other objects.
Array require_indices(const char* who, PyObject* object, const Array& x);

}  // namespace isthmus::python
