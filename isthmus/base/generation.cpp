// generation.cpp: counts forks.
#include "isthmus/base/generation.h"

#include <pthread.h>

#include <atomic>

namespace isthmus::inline ISTHMUS_ABI {

namespace {
std::atomic<std::uint32_t> forks{0};
[[maybe_unused]] const int generation_at_fork =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
}  // namespace

std::uint32_t generation() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace isthmus::inline ISTHMUS_ABI
