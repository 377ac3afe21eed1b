// look.h: what a pending array is made of, for people to read.
#pragma once

#include <string>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The text of the kernels that x waits for, in the language of its device, and in OpenCL C on the
/// host, which compiles none; empty for a value that is there. Nothing is calculated. Waits for no
/// device. Throws the error of a value that failed, and of a device whose driver is not there.
ISTHMUS_EXPORT std::string source(const Array& x);

/// The operations that x waits for, one a line, as a picture ("svg": a document that needs no other
/// file), or as a graph for Graphviz ("dot"). Nothing is calculated. Waits for nothing. Throws
/// ValueError for another format.
ISTHMUS_EXPORT std::string show(const Array& x, std::string_view format = "text");

}  // namespace isthmus::inline ISTHMUS_ABI
