// look.cpp: see source.h of the runtime.
#include "isthmus/array/look.h"

#include "isthmus/runtime/source.h"

namespace isthmus {

std::string source(const Array& x) { return source_of(x.storage()); }

}  // namespace isthmus
