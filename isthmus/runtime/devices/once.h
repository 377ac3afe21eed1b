// once.h: what is made by a driver when it is first asked for.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "isthmus/runtime/call.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Held while something of a driver is opened, one thing at a time in the whole process: PoCL 3.1
/// crashes when SYCL and we look for its devices at once. Recursive, since one opens another.
ISTHMUS_EXPORT std::recursive_mutex& opening_lock();

/// An object that one thread makes while others wait. Nobody waits with Python's GIL, which the
/// maker may need to go on: static locals and std::call_once would deadlock there. Made again by
/// the next who asks if making it threw.
template <class T>
class Once {
 public:
  Once() = default;
  Once(const Once&) = delete;
  ~Once() { delete find(); }

  /// `make` returns a std::unique_ptr<T>.
  template <class F>
  T& get(F&& make) {
    if (T* found = find()) return *found;
    const Unblocked unblocked;
    claim_drivers("open");  // a thread that is not in a forked child may have held the lock
    std::lock_guard guard(opening_lock());
    if (T* found = find()) return *found;
    T* made = make().release();
    made_.store(made, std::memory_order_release);
    return *made;
  }
  /// Null if nobody has asked for it yet.
  T* find() const { return made_.load(std::memory_order_acquire); }

 private:
  std::atomic<T*> made_{nullptr};
};

}  // namespace isthmus::inline ISTHMUS_ABI
