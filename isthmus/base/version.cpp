// version.cpp: the version that this library was compiled as.
#include "isthmus/version.h"

namespace isthmus {

std::string_view version() noexcept { return ISTHMUS_VERSION_STRING; }

}  // namespace isthmus
