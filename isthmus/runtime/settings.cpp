// settings.cpp: the environment's wishes, until the user has others.
#include "isthmus/runtime/settings.h"

#include <atomic>

#include "isthmus/base/environment.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

Inline inline_from_environment() {
  constexpr Inline policies[] = {Inline::automatic, Inline::never, Inline::always};
  return policies[choose("ISTHMUS_INLINE", {"auto", "0", "1"})];
}

std::atomic<Inline> policy{inline_from_environment()};
std::atomic<bool> eager{choose("ISTHMUS_EAGER", {"0", "1"}) == 1};
// The sycl backend reads it; a wrong value is reported where there is none, too.
[[maybe_unused]] const int sycl_kernels = choose("ISTHMUS_SYCL_KERNELS", {"auto", "source"});

}  // namespace

Inline inline_policy() { return policy.load(std::memory_order_relaxed); }
void set_inline_policy(Inline wanted) { policy.store(wanted); }
bool is_eager() { return eager.load(std::memory_order_relaxed); }
void set_eager(bool wanted) { eager.store(wanted); }

}  // namespace isthmus::inline ISTHMUS_ABI
