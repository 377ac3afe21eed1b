// launch_check.h: what a launch relies on, from when it is put on a queue to who wants its results.
#pragma once

#include <functional>
#include <string>

#include "isthmus/core/finding.h"

namespace isthmus::inline ISTHMUS_ABI {

/// What the results of one launch rely on: checks of its own, and those of what it reads. Memories
/// hold no checks but these.
class LaunchCheck final : public LateCheck {
 public:
  LaunchCheck(Findings own, LateChecks inherited, std::function<std::string()> describe)
      : own_(std::move(own)), inherited_(std::move(inherited)), describe_(std::move(describe)) {}
  /// The text names the launch, and the one whose own check has failed.
  [[noreturn]] void raise() override;
  /// Whether the launch has written nothing since a check of its own has failed.
  bool has_stopped() const noexcept;
  /// Of one that has failed.
  const LateChecks& inherited() const { return inherited_; }

 protected:
  bool has_gone_wrong() noexcept override;
  void forget() noexcept override;

 private:
  Findings own_;
  LateChecks inherited_;
  std::function<std::string()> describe_;
};

/// Adds what the memory relies on, but for what is known to hold. Needs graph_lock.
void add_checks(BackendMemory& memory, LateChecks& checks);

/// Whether all that was put on a queue to write the memory has ended well. Takes graph_lock.
bool has_ended(BackendMemory& memory);

/// Of checks whose work has ended.
template <class Check>
void raise_if_failed(const std::vector<Ref<Check>>& checks) {
  for (const Ref<Check>& check : checks)
    if (check->has_failed()) check->raise();
}

/// After the writes of a memory have ended: forgets what it relied on, or throws the error of what
/// has failed; that of work which has written nothing is thrown once.
ISTHMUS_EXPORT void settle_checks(BackendMemory& memory);
/// Whether it may rely on something that is not known yet, or did not hold. Takes graph_lock.
ISTHMUS_EXPORT bool has_checks(BackendMemory& memory);

/// The memory in the host's reach that a check looks at, behind which the work that relies on it
/// has to be: where the finding lies, or a copy of it that is put on the queue now.
Ref<BackendMemory> place_finding(Finding& check, const Ref<BackendMemory>& memory,
                                 std::int64_t element, const Ref<BackendQueue>& queue);

}  // namespace isthmus::inline ISTHMUS_ABI
