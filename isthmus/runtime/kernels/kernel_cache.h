// kernel_cache.h: compiled kernels, in memory and on disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "isthmus/runtime/backend.h"
#include "isthmus/runtime/kernels/cache.h"
#include "isthmus/runtime/kernels/launch_plans.h"

namespace isthmus::inline ISTHMUS_ABI {

/// How many kernels are kept in memory; those beyond, not used for longest, are on disk alone. With
/// Intel's runtime one takes 3 MB (2026.2, as much with raw OpenCL).
inline constexpr std::size_t most_kernels = 1024;

/// A program's kernels, and how they were launched last.
class ProgramKernel : public Counted<ProgramKernel> {
 public:
  explicit ProgramKernel(Ref<Kernel> kernel) : code(std::move(kernel)) {}
  const Ref<Kernel> code;
  LaunchPlans plans;
  /// Of a kernel of a user's program.
  Ref<Pace> pace_of(std::string_view entry);

 private:
  Mutex lock_;
  std::vector<std::pair<std::string, Ref<Pace>>> paces_;
};

/// The kernel of a program in a context: from memory, from disk, or compiled now. Any thread.
ISTHMUS_EXPORT Ref<ProgramKernel> find_kernel(Backend& backend, BackendContext& context, int device,
                                              const Program& program);

struct CacheStatistics {
  std::int64_t hits = 0;       ///< Found in memory.
  std::int64_t disk_hits = 0;  ///< Loaded from disk.
  std::int64_t compiled = 0;
  std::int64_t rejected = 0;  ///< Files on disk that were of no use, and were made anew.
};
ISTHMUS_EXPORT CacheStatistics cache_statistics();
/// Where this version of the library keeps kernels: a folder of its own in ISTHMUS_CACHE_DIR, or in
/// isthmus/ of the user's cache folder. Empty: ISTHMUS_CACHE=0, or the folder is not ours alone.
ISTHMUS_EXPORT std::filesystem::path cache_folder();
/// Bytes that the kernels of all versions may take there: ISTHMUS_CACHE_SIZE, or 256 MiB.
ISTHMUS_EXPORT std::uint64_t cache_limit();
}  // namespace isthmus::inline ISTHMUS_ABI
