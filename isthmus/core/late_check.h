// late_check.h: what work relies on that is known only when it has ended.
#pragma once

#include <atomic>
#include <cstdint>

#include "isthmus/base/mutex.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Something that what is in a memory relies on, and that nobody knew when the work was put on its
/// queue: that indices which other work calculates are inside. All but has_failed() is called
/// without locks.
class ISTHMUS_EXPORT LateCheck : public Counted<LateCheck> {
 public:
  LateCheck() = default;
  virtual ~LateCheck();

  /// Whether it did not hold. Asked when the work that finds out has ended; under any lock.
  bool has_failed() noexcept;
  /// Throws the error of what did not hold, each time.
  [[noreturn]] virtual void raise() = 0;
  /// Of what is known to hold: drops what was kept for an error.
  void let_go() noexcept;

 protected:
  /// Finds out. Under lock_.
  virtual bool has_gone_wrong() noexcept = 0;
  /// Drops what it keeps, outside of lock_, under which that is taken away.
  virtual void forget() noexcept = 0;

  Mutex lock_;

 private:
  enum class State : std::uint8_t { unknown, holds, failed };
  std::atomic<State> state_{State::unknown};
};

}  // namespace isthmus::inline ISTHMUS_ABI
