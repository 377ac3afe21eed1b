// call.cpp: injected faults and the hook of driver calls.
#include "isthmus/runtime/call.h"

#include <pthread.h>

#include "isthmus/core/internal.h"
#include "isthmus/runtime/devices/once.h"

namespace isthmus::inline ISTHMUS_ABI {

void Fault::set(std::int64_t nth, bool is_sticky, Errc code) {
  fails_at_.store(0);  // none fails while the rest of the wish is being written
  is_sticky_.store(is_sticky);
  code_.store(code);
  fails_at_.store(nth > 0 ? passed_.load() + nth : 0);
}

void Fault::pass(const char* who) {
  const std::int64_t number = passed_.fetch_add(1, std::memory_order_relaxed) + 1;
  const std::int64_t fails_at = fails_at_.load(std::memory_order_acquire);
  if (fails_at == 0 || number < fails_at || (number > fails_at && !is_sticky_.load())) return;
  const Errc code = code_.load();
  fail(code, "{}: call {} fails, as a test asked", who, number);
}

// Without a guard, for which a child would wait that is forked while some thread asks first.
static constinit Fault fault;
Fault& call_fault() { return fault; }

namespace {
std::atomic<CallHook> call_hook{nullptr};
}

void set_call_hook(CallHook hook) { call_hook.store(hook); }

namespace {
std::atomic<bool> was_called{false}, orphaned{false};
[[maybe_unused]] const int calls_at_fork =
    pthread_atfork(nullptr, nullptr, [] { orphaned.store(was_called.load()); });
}  // namespace

bool is_orphaned() noexcept { return orphaned.load(std::memory_order_relaxed); }

void claim_drivers(const char* name) {
  if (!was_called.load(std::memory_order_relaxed)) was_called.store(true);
  check(!is_orphaned(), Errc::launch,
        "{}: a forked child cannot use the drivers that its parent used; arrays of cpu can still "
        "be used here, with kernels that are plain arithmetic; for the rest start a new process",
        name);
}

void detail::enter_call(const char* name) {
  claim_drivers(name);
  if (const CallHook hook = call_hook.load(std::memory_order_acquire)) hook(name);
  call_fault().pass(name);
}

std::recursive_mutex& opening_lock() {
  static auto& lock = *new std::recursive_mutex;
  return lock;
}

}  // namespace isthmus::inline ISTHMUS_ABI
