// error.cpp: the key functions of Error.
#include "isthmus/base/error.h"

namespace isthmus {

Error::Error(Errc code, const std::string& what, std::shared_ptr<const CompileDetails> details)
    : std::runtime_error(what), code_(code), text_(what), details_(std::move(details)) {}
Error::~Error() = default;

}  // namespace isthmus
