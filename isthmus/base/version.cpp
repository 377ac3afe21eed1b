// version.cpp: the version that this library was compiled as.
#include "isthmus/version.h"

namespace isthmus::inline ISTHMUS_ABI {

#define ISTHMUS_TEXT_OF(x) ISTHMUS_STRING_OF(x)
static_assert(std::string_view(ISTHMUS_TEXT_OF(ISTHMUS_ABI)) ==
                  (ISTHMUS_VERSION_MAJOR ? "v" ISTHMUS_TEXT_OF(ISTHMUS_VERSION_MAJOR)
                                         : "v0_" ISTHMUS_TEXT_OF(ISTHMUS_VERSION_MINOR)),
              "export.h: ISTHMUS_ABI is that of another version");

std::string_view version() noexcept { return ISTHMUS_VERSION_STRING; }

}  // namespace isthmus::inline ISTHMUS_ABI
