// finding.h: a check whose outcome is a number in memory.
#pragma once

#include "isthmus/core/memory.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The kernel that checks leaves an int64: `nothing`, or what says where something is wrong.
class ISTHMUS_EXPORT Finding : public LateCheck {
 public:
  static constexpr std::int64_t nothing = 0;
  ~Finding() override;

  /// Work that relies on it and writes by position writes nothing where it has failed. Set before
  /// others know it.
  bool stops_writes = false;

  /// Before others know of the work that relies on it: where the number will be. The memory is in
  /// the host's reach.
  void look_at(Ref<BackendMemory> memory, std::int64_t element);
  /// That memory; null before, and once it is known that all is well.
  Ref<BackendMemory> memory() noexcept;

 protected:
  bool has_gone_wrong() noexcept override;
  void forget() noexcept override;
  /// What was found by a check that has failed.
  std::int64_t number() const noexcept { return *number_; }

 private:
  Ref<BackendMemory> memory_;
  const std::int64_t* number_ = nullptr;
};

using Findings = std::vector<Ref<Finding>>;

}  // namespace isthmus::inline ISTHMUS_ABI
