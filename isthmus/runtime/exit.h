// exit.h: a function for multithreaded programs to call before they end.
#pragma once

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Call this before `exit` if other threads of the program may be compiling kernels. It prevents
/// other threads from starting to compile, and waits at most ten seconds for running compilers and
/// for launched kernels, which PoCL compiles when it runs them. Without it such threads crash in
/// the compilers of Intel's runtime and of PoCL, whose tables `exit` destroys while they are in
/// use. The library does not register it as an exit handler, because handlers run in reverse order
/// and a compiler adds its own while it works. Throws InterruptedError.
ISTHMUS_EXPORT void end_compiling();

}  // namespace isthmus::inline ISTHMUS_ABI
