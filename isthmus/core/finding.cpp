// finding.cpp: a check whose outcome is a number in memory.
#include "isthmus/core/finding.h"

#include <mutex>

namespace isthmus::inline ISTHMUS_ABI {

Finding::~Finding() = default;

void Finding::look_at(Ref<BackendMemory> memory, std::int64_t element) {
  const std::lock_guard hold(lock_);
  number_ = static_cast<const std::int64_t*>(memory->host) + element;
  memory_ = std::move(memory);
}

Ref<BackendMemory> Finding::memory() noexcept {
  const std::lock_guard hold(lock_);
  return memory_;
}

bool Finding::has_gone_wrong() noexcept { return *number_ != nothing; }

void Finding::forget() noexcept {
  Ref<BackendMemory> memory;
  const std::lock_guard hold(lock_);
  memory = std::move(memory_);
  number_ = nullptr;
}

}  // namespace isthmus::inline ISTHMUS_ABI
