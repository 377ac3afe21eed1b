// look.h: what a pending array is made of, for people to read.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The text of the kernels that x waits for, in the language of its device, and in OpenCL C on the
/// host, which compiles none; empty for a value that is there. Nothing is calculated. Waits for no
/// device. Throws the error of a value that failed, and of a device whose driver is not there.
ISTHMUS_EXPORT std::string source(const Array& x);
/// @{
/// Of several arrays, which one kernel may write. Throws ValueError for none.
ISTHMUS_EXPORT std::string source(std::span<const Array> arrays);
inline std::string source(std::initializer_list<Array> arrays) {
  return source(std::span(arrays.begin(), arrays.size()));
}
/// @}

/// The operations that x waits for, one a line, as a picture ("svg": a document that needs no other
/// file), or as a graph for Graphviz ("dot"). Nothing is calculated. Waits for nothing. Throws
/// ValueError for another format.
ISTHMUS_EXPORT std::string show(const Array& x, std::string_view format = "text");
/// @{
/// The same for several arrays together. Throws ValueError for none.
ISTHMUS_EXPORT std::string show(std::span<const Array> arrays, std::string_view format = "text");
inline std::string show(std::initializer_list<Array> arrays, std::string_view format = "text") {
  return show(std::span(arrays.begin(), arrays.size()), format);
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
