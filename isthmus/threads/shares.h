// shares.h: the chunks of one loop, divided among threads.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "isthmus/base/checked.h"
#include "isthmus/threads/executor.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

/// Each thread has a share of adjacent chunks: the same one in every loop of as many chunks, whose
/// memory its processor's own cache may still hold. A thread that has finished its share takes
/// chunks of the others'.
class Shares {
 public:
  Shares(std::int64_t count, std::int64_t grain, int threads, ChunkFunction f)
      : count_(count), grain_(grain), f_(f) {
    const std::int64_t chunks = divided_up(count, grain);
    shares_ = static_cast<int>(std::min({std::int64_t{threads}, chunks, most}));
    const std::int64_t each = chunks / shares_, more = chunks % shares_;
    std::int64_t begin = 0;
    for (std::int64_t i = 0; i < shares_; ++i) {
      const std::int64_t end = begin + each + (i < more);
      list_[i] = {begin, end};
      begin = end;
    }
  }

  int size() const { return shares_; }

  /// Runs chunks until none is left. If `f` throws, no further chunk begins.
  void run(int thread) {
    try {
      for (int i = 0; i < shares_; ++i) run_share(list_[(thread + i) % shares_]);
    } catch (...) {
      for (int i = 0; i < shares_; ++i) next_of(list_[i]).store(list_[i].end);
      throw;
    }
  }

 private:
  static constexpr std::int64_t most = 64;  ///< More threads share a share.
  struct alignas(64) Share {  // of plain numbers: those of threads that there are not cost nothing
    std::int64_t next, end;
  };

  static std::atomic_ref<std::int64_t> next_of(Share& share) { return std::atomic_ref(share.next); }

  void run_share(Share& share) {
    // whoever finds nothing must not write, which would take the line from the share's thread
    const std::atomic_ref<std::int64_t> next = next_of(share);
    while (next.load(std::memory_order_relaxed) < share.end) {
      const std::int64_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= share.end) return;
      f_(chunk * grain_, chunk * grain_ + std::min(grain_, count_ - chunk * grain_));
    }
  }

  std::int64_t count_, grain_;
  ChunkFunction f_;
  int shares_;
  std::array<Share, most> list_;
};

}  // namespace isthmus::inline ISTHMUS_ABI::detail
