// settings.cpp: the environment's wishes, until the user has others.
#include "isthmus/runtime/settings.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace isthmus {

namespace {

Inline inline_from_environment() {
  const char* text = std::getenv("ISTHMUS_INLINE");
  if (text && !std::strcmp(text, "0")) return Inline::never;
  if (text && !std::strcmp(text, "1")) return Inline::always;
  return Inline::automatic;
}

bool eager_from_environment() {
  const char* text = std::getenv("ISTHMUS_EAGER");
  return text && !std::strcmp(text, "1");
}

std::atomic<Inline> policy{inline_from_environment()};
std::atomic<bool> eager{eager_from_environment()};

}  // namespace

Inline inline_policy() { return policy.load(std::memory_order_relaxed); }
void set_inline_policy(Inline wanted) { policy.store(wanted); }
bool is_eager() { return eager.load(std::memory_order_relaxed); }
void set_eager(bool wanted) { eager.store(wanted); }

}  // namespace isthmus
