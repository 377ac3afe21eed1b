// late_check.cpp: what is found out once.
#include "isthmus/core/late_check.h"

#include <mutex>

namespace isthmus::inline ISTHMUS_ABI {

LateCheck::~LateCheck() = default;

bool LateCheck::has_failed() noexcept {
  if (const State known = state_.load(std::memory_order_acquire); known != State::unknown)
    return known == State::failed;
  const std::lock_guard hold(lock_);
  if (state_.load(std::memory_order_relaxed) == State::unknown)
    state_.store(has_gone_wrong() ? State::failed : State::holds, std::memory_order_release);
  return state_.load(std::memory_order_relaxed) == State::failed;
}

void LateCheck::let_go() noexcept {
  if (state_.load(std::memory_order_acquire) == State::holds) forget();
}

}  // namespace isthmus::inline ISTHMUS_ABI
