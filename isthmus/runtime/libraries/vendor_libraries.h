// vendor_libraries.h: libraries of vendors' runtimes, opened with what they need.
#pragma once

#include <filesystem>
#include <string>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// dlopen(), with RTLD_LOCAL, of a library and of those it needs: what the loader does not find is
/// taken from vendor folders. Null, and the loader's reason, if one cannot be loaded.
ISTHMUS_EXPORT void* open_library(const std::filesystem::path& file, std::string& reason);

/// Why a runtime that lists its devices once does not list Intel's CPU device, and what would bring
/// it, as the end of a sentence.
ISTHMUS_EXPORT std::string why_intel_is_missing();

}  // namespace isthmus::inline ISTHMUS_ABI
