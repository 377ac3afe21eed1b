// version.h: the version of these headers and of the loaded library.
#pragma once

#include <string_view>

#include "isthmus/base/export.h"

// CMakeLists.txt and pyproject.toml read these three lines.
#define ISTHMUS_VERSION_MAJOR 0
#define ISTHMUS_VERSION_MINOR 1
#define ISTHMUS_VERSION_PATCH 0

#define ISTHMUS_STRING_OF(x) #x
#define ISTHMUS_JOIN_VERSION(a, b, c) \
  ISTHMUS_STRING_OF(a) "." ISTHMUS_STRING_OF(b) "." ISTHMUS_STRING_OF(c)
/// "0.1.0".
#define ISTHMUS_VERSION_STRING \
  ISTHMUS_JOIN_VERSION(ISTHMUS_VERSION_MAJOR, ISTHMUS_VERSION_MINOR, ISTHMUS_VERSION_PATCH)
/// An increasing number: 1 02 03 for version 1.2.3. `#if ISTHMUS_VERSION >= 10203`.
#define ISTHMUS_VERSION \
  (ISTHMUS_VERSION_MAJOR * 10000 + ISTHMUS_VERSION_MINOR * 100 + ISTHMUS_VERSION_PATCH)

namespace isthmus::inline ISTHMUS_ABI {

/// The version of libisthmus.so that this process has loaded, "0.1.0". ISTHMUS_VERSION_STRING is
/// that of the headers; the loader ensures that both have the same ABI.
ISTHMUS_EXPORT std::string_view version() noexcept;

}  // namespace isthmus::inline ISTHMUS_ABI
