// look.h: the kernels and operations of pending arrays, as text.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "isthmus/array/array.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The source code of the kernels that will calculate x, in the language of its device, or in
/// OpenCL C for the host, which compiles no kernels; empty for a calculated value. Nothing is
/// calculated. Does not wait for a device. Throws the error of a value that failed, and of a device
/// whose driver is missing.
ISTHMUS_EXPORT std::string source(const Array& x);
/// @{
/// The same for several arrays, which one kernel may write. Throws ValueError for none.
ISTHMUS_EXPORT std::string source(std::span<const Array> arrays);
inline std::string source(std::initializer_list<Array> arrays) {
  return source(std::span(arrays.begin(), arrays.size()));
}
/// @}

/// The operations that will calculate x: one per line ("text"), as a picture ("svg", a
/// self-contained document), or as a graph for Graphviz ("dot"). Nothing is calculated. Waits for
/// nothing. Throws ValueError for another format.
ISTHMUS_EXPORT std::string show(const Array& x, std::string_view format = "text");
/// @{
/// The same for several arrays together. Throws ValueError for none.
ISTHMUS_EXPORT std::string show(std::span<const Array> arrays, std::string_view format = "text");
inline std::string show(std::initializer_list<Array> arrays, std::string_view format = "text") {
  return show(std::span(arrays.begin(), arrays.size()), format);
}
/// @}

}  // namespace isthmus::inline ISTHMUS_ABI
