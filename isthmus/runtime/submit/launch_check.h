// launch_check.h: what a launch relies on, from when it is put on a queue to who wants its results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "isthmus/core/finding.h"

namespace isthmus::inline ISTHMUS_ABI {

/// From `begin` up to `end`; all of a memory if nothing else is said.
struct Addresses {
  std::uintptr_t begin = 0, end = UINTPTR_MAX;

  bool contains(const Addresses& others) const {
    return begin <= others.begin && others.end <= end;
  }
};

/// What a launch is put on its queue with.
struct Relying {
  Findings checks;
  bool is_store = false;  ///< It writes by position.
  Addresses written;      ///< Where it writes.
};

/// What the memories of a launch rely on when it is put on its queue.
struct Inherited {
  LateChecks of_read, of_written;
  LateChecks settled;  ///< That they do not rely on any more; to be dropped without locks.
};

/// What the results of one launch rely on: checks of its own, and those of what it reads and of
/// what it writes to. Memories hold no checks but these.
class LaunchCheck final : public LateCheck {
 public:
  LaunchCheck(Relying own, Inherited inherited, std::function<std::string()> describe);
  /// The text names the launch, and the one whose own check has failed.
  [[noreturn]] void raise() override;
  /// Of one that has failed: whether what it wrote to is as if all had gone well but for writes
  /// with indices that are outside, which wrote nothing, and whose error was thrown.
  bool is_over() const noexcept;
  /// Whoever got its error has dropped it.
  void take_back() noexcept;
  /// Adds those of its own by which positions of writes are negative where they have failed.
  void add_stops(Findings& checks);
  /// What is written there may be wrong if it has failed, by this launch or by those before whose
  /// checks it inherits.
  const Addresses& written() const { return written_; }

 protected:
  bool has_gone_wrong() noexcept override;
  void forget() noexcept override;

 private:
  /// Of one that has failed: what it has its error from; null: from a check of its own.
  const LaunchCheck* cause() const noexcept;

  Findings own_;
  Inherited inherited_;
  const std::function<std::string()> describe_;
  const bool is_store_;
  Addresses written_{UINTPTR_MAX, 0};
  mutable std::atomic<bool> was_reported_{false};  ///< Somebody got its error.
};

/// Adds what the memory relies on, and takes what is known to hold or is over away from it. What
/// was written to `overwritten` alone is not added. Needs graph_lock.
void add_checks(BackendMemory& memory, LateChecks& checks, LateChecks& settled,
                const std::optional<Addresses>& overwritten = {});

/// What a store relies on whose positions another kernel has calculated: see add_stops().
void add_stops(std::span<BackendMemory* const> reads, Findings& checks);

/// Whether all that was put on a queue to write the memory has ended well. Takes graph_lock.
bool writes_have_ended(BackendMemory& memory);

/// Of checks whose work has ended.
ISTHMUS_EXPORT void raise_if_failed(const Findings& own, const Inherited& inherited);

/// After the writes of a memory have ended: forgets what it relied on, or throws the error of what
/// has failed and is not over.
ISTHMUS_EXPORT void settle_checks(BackendMemory& memory);
/// The error that settle_checks() threw has been dropped, and is thrown again by the next.
ISTHMUS_EXPORT void take_back_error(BackendMemory& memory);
/// Whether it may rely on something that is not known yet, or did not hold. Takes graph_lock.
ISTHMUS_EXPORT bool has_checks(BackendMemory& memory);

/// The memory in the host's reach that a check looks at, behind which the work that relies on it
/// has to be: where the finding lies, or a copy of it that is put on the queue now.
Ref<BackendMemory> place_finding(Finding& check, const Ref<BackendMemory>& memory,
                                 std::int64_t element, const Ref<BackendQueue>& queue);

}  // namespace isthmus::inline ISTHMUS_ABI
