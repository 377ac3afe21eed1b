// recent.h: what users' objects were wrapped in last, so that a row of imports asks a driver once.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include "isthmus/base/mutex.h"
#include "isthmus/core/internal.h"
#include "isthmus/runtime/call.h"

namespace isthmus::inline ISTHMUS_ABI {

/// A few wrappers by what they wrap. Held, and with them what they wrap, so that nothing else gets
/// a handle that is known here. Any thread.
template <class Key, class Wrapper>
class Recent {
 public:
  constexpr Recent() = default;

  /// The wrapper of `key`, made by `make` if it is none of the last. Throws launch in a forked
  /// child, where it may be no use and the lock be held.
  template <class F>
  Ref<Wrapper> get(const Key& key, F&& make) {
    claim_drivers("adopt");
    {
      const std::lock_guard guard(lock_);
      for (const auto& entry : entries_)
        if (entry && entry->first == key) return entry->second;
    }
    const Unblocked unblocked;  // what falls out of the list may call a driver
    Ref<Wrapper> made = make();
    std::optional<Entry> entry(std::in_place, key, made);
    const std::lock_guard guard(lock_);
    std::swap(entry, entries_[next_]);
    next_ = (next_ + 1) % entries_.size();
    return made;
  }

 private:
  using Entry = std::pair<Key, Ref<Wrapper>>;
  Mutex lock_;
  std::array<std::optional<Entry>, 4> entries_;
  std::size_t next_ = 0;
};

}  // namespace isthmus::inline ISTHMUS_ABI
