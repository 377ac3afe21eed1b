// dlpack_import.h: arrays out of objects that have __dlpack__.
#pragma once

#include "isthmus/exchange/dlpack.h"
#include "python/src/protocol.h"

namespace isthmus::python {

/// What __dlpack__ of the object gives, asked in the newest form first. Throws what it raises, type
/// for what is no capsule, exchange for a tensor that cannot be.
Array import_dlpack(nb::handle object, const ImportRequest& request);

/// A pair of integers or enumerators, as __dlpack_device__ gives it. Throws type, naming `name`.
std::pair<std::int64_t, std::int64_t> pair_of(const char* name, PyObject* object);

}  // namespace isthmus::python
