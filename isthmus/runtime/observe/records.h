// records.h: what the evaluator writes down while somebody profiles; profile.h has it readable.
#pragma once

#include <array>
#include <vector>

#include "isthmus/codegen/program.h"
#include "isthmus/core/device.h"
#include "isthmus/graph/partition.h"

namespace isthmus::inline ISTHMUS_ABI {

/// One kernel. On a queue, `host` is the time it took to put it there.
struct KernelRecord {
  enum class Where : std::uint8_t {
    host,      ///< on the host's own device
    inlined,   ///< by the host executor, for another device
    launched,  ///< on a queue of its device
  };
  std::int64_t evaluation = 0;  ///< The number of its EvaluationRecord.
  Names operations;
  Dims shape;  ///< Of the loop: of a reduction, what it reads.
  Device device;
  Where where = Where::host;
  Interval host;
  Ref<Event> event;  ///< Null where it had ended when `host` did.
};

/// All that was calculated together: one call of evaluate(), or one write.
struct EvaluationRecord {
  std::int64_t number = 0;
  std::uint64_t thread = 0;
  Interval host;
  /// Why values did not join the kernels that want them; see Stop.
  std::array<std::int64_t, static_cast<std::size_t>(Stop::count_)> stops{};
};

struct ProfileRecords {
  std::vector<EvaluationRecord> evaluations;
  std::vector<KernelRecord> kernels;
};

/// From here on everything is recorded, until the end of the profile that began first. Several may
/// overlap; each gets what happened in its own time. Returns what end_profile wants.
struct ProfileMark {
  std::size_t evaluations = 0, kernels = 0;
};
ISTHMUS_EXPORT ProfileMark begin_profile();
/// What was recorded since. Waits for nothing: KernelRecord::event may be pending.
ISTHMUS_EXPORT ProfileRecords end_profile(ProfileMark since);

/// Whether anybody asks now, or ISTHMUS_PROFILE has not been read yet; one relaxed load.
ISTHMUS_EXPORT bool is_profiled() noexcept;
/// Begins the profile of the process if ISTHMUS_PROFILE names a file; the first call alone does
/// something.
ISTHMUS_EXPORT void read_profile_setting() noexcept;
/// The time if anybody profiles, else 0. Without locks: it may read the setting.
[[nodiscard]] std::int64_t profiled_now() noexcept;
/// Until this is called, is_profiled() is true, so that the setting is read.
void end_reading_profile_setting() noexcept;
/// Notes all kernels of this thread, while it lives, as one evaluation. Costs next to nothing while
/// nobody asks.
class ProfiledEvaluation {
 public:
  ProfiledEvaluation();
  ~ProfiledEvaluation();
  ProfiledEvaluation(const ProfiledEvaluation&) = delete;
  void note_stops(const Plan& plan) noexcept;

 private:
  EvaluationRecord record_;
  std::int64_t before_ = 0;  ///< The evaluation that this one is within.
};
/// Adds an evaluation of one kernel.
void note_alone(KernelRecord kernel) noexcept;
/// Adds a kernel to this thread's evaluation. What there is no memory for is not in the profile.
void note_kernel(KernelRecord kernel) noexcept;

}  // namespace isthmus::inline ISTHMUS_ABI
