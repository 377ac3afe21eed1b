// error.cpp: the key functions of Error.
#include "isthmus/base/error.h"

namespace isthmus {

Error::Error(Errc code, const std::string& what) : std::runtime_error(what), code_(code) {}
Error::~Error() = default;

}  // namespace isthmus
