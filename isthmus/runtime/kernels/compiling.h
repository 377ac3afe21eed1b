// compiling.h: calls in which a driver's compiler works, which the end of the process waits for.
#pragma once

#include "isthmus/runtime/call.h"
#include "isthmus/runtime/exit.h"

namespace isthmus::inline ISTHMUS_ABI {

/// While one lives, a driver's compiler may work on this thread.
class ISTHMUS_EXPORT Compiling {
 public:
  /// Throws launch on another thread than the one that has called end_compiling.
  explicit Compiling(const char* name);
  ~Compiling();
  Compiling(const Compiling&) = delete;
};

/// Whether end_compiling was called. What its thread launches since then, it waits for (throttle).
ISTHMUS_EXPORT bool has_compiling_ended() noexcept;
/// Where another thread was refused, before it says so: a while in which the process usually ends,
/// since a thread that nobody waits for has nobody to tell. Needs no lock held.
void linger_at_the_end() noexcept;

/// As `call`, for what may compile: building a program, taking its binary, launching a kernel.
template <class F>
decltype(auto) call_compiler(const char* name, F&& f) {
  const Unblocked unblocked;
  detail::enter_call(name);
  const Compiling compiling(name);
  return f();
}

}  // namespace isthmus::inline ISTHMUS_ABI
