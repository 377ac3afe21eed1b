// call.h: the one way into a driver, where calls are counted, watched and made to fail.
#pragma once

#include <atomic>
#include <cstdint>

#include "isthmus/base/error.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Which call of many is to fail. Any thread.
class ISTHMUS_EXPORT Fault {
 public:
  /// The `nth` call from now fails (1 is the next; 0: none does); if sticky, so do all after it.
  void set(std::int64_t nth, bool is_sticky, Errc code);
  /// Counts one call of something; throws the Error that was asked for if its turn has come.
  void pass(const char* who);
  std::int64_t passed() const { return passed_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> passed_{0};
  std::atomic<std::int64_t> fails_at_{0};
  std::atomic<bool> is_sticky_{false};
  std::atomic<Errc> code_{Errc::launch};
};

/// The fault of all driver calls of this process.
ISTHMUS_EXPORT Fault& call_fault();

/// Called before every driver call, on the thread that makes it, with the call's name: Python
/// asserts there that the GIL is not held. Must not throw. Null: none.
using CallHook = void (*)(const char* name);
ISTHMUS_EXPORT void set_call_hook(CallHook hook);

namespace detail {
ISTHMUS_EXPORT void enter_call(const char* name);
}

/// Whether this process was forked from one that had called a driver, whose threads and locks are
/// not what they seem any more: no driver may be called.
ISTHMUS_EXPORT bool is_orphaned() noexcept;

/// Says that this process is about to open drivers, so that a child of it must not. Throws launch
/// in such a child; `name` is what it would have done there.
ISTHMUS_EXPORT void claim_drivers(const char* name);

/// Calls the driver. `name` is the driver's own name of the function, for hooks and errors. Lets go
/// of Python's GIL if this thread holds it. Throws launch in a forked child.
template <class F>
decltype(auto) call(const char* name, F&& f) {
  const Unblocked unblocked;
  detail::enter_call(name);
  return f();
}

/// Calls the driver to give something back: never fails, and does nothing in a forked child.
template <class F>
void call_to_release(F&& f) noexcept {
  if (is_orphaned()) return;
  const Unblocked unblocked;
  f();
}

}  // namespace isthmus::inline ISTHMUS_ABI
