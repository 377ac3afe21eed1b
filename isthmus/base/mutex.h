// mutex.h: a lock whose uncontended use is two atomic operations, inline.
#pragma once

#include <atomic>
#include <cstdint>

#include "isthmus/base/export.h"

namespace isthmus::inline ISTHMUS_ABI {

/// As std::mutex. Needs no construction at run time and no destruction, so that it may guard what
/// lives as long as the process. (pthread's costs three calls through tables; the graph's lock is
/// taken several times for one small operation.)
class Mutex {
 public:
  void lock() noexcept {
    std::uint32_t free = 0;
    if (!state_.compare_exchange_strong(free, 1, std::memory_order_acquire)) [[unlikely]]
      lock_slowly();
  }
  bool try_lock() noexcept {
    std::uint32_t free = 0;
    return state_.compare_exchange_strong(free, 1, std::memory_order_acquire);
  }
  void unlock() noexcept {
    if (state_.exchange(0, std::memory_order_release) == 2) [[unlikely]]
      state_.notify_one();
  }

 private:
  void lock_slowly() noexcept {
    for (int i = 0; i < 64; ++i)
      if (state_.load(std::memory_order_relaxed) == 0 && try_lock()) return;
    // 2: somebody may sleep
    while (state_.exchange(2, std::memory_order_acquire) != 0)
      state_.wait(2, std::memory_order_relaxed);
  }

  std::atomic<std::uint32_t> state_{0};
};

}  // namespace isthmus::inline ISTHMUS_ABI
