// exit.h: what a program of several threads calls before it ends.
#pragma once

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// To be called before `exit` by a program whose other threads may be compiling kernels. Lets no
/// other thread begin to compile, and waits for the compilers that are at work and for what was
/// launched, which PoCL compiles when it runs it; ten seconds at most. Without it such threads
/// crash in the compilers of Intel's runtime and of PoCL, whose tables `exit` tears down while they
/// use them. It is no exit handler of the library, since handlers run in reverse order and a
/// compiler adds its own while it works. Throws InterruptedError.
ISTHMUS_EXPORT void end_compiling();

}  // namespace isthmus::inline ISTHMUS_ABI
