// profile.h: what was evaluated, by which kernels, where, for how long, and why fusion ended.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isthmus/core/device.h"
#include "isthmus/core/layout.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Records everything that any thread evaluates while it lives:
///
///     xp::Profile profile;
///     xp::sum(xp::sin(x)).eval();
///     profile.end();
///     std::cout << profile;
///     profile.save("trace.json");
///
/// ISTHMUS_PROFILE=trace.json does so for a whole process. While nobody profiles it costs one
/// comparison for each evaluation. One object belongs to one thread at a time.
class ISTHMUS_EXPORT Profile {
 public:
  /// One kernel. Times are in seconds, beginnings from that of the profile.
  struct Kernel {
    std::vector<std::string_view> operations;  ///< By their names.
    Dims shape;                                ///< Of the loop: of a reduction, what it reads.
    Device device;                             ///< Of the result.
    std::string_view where;  ///< "host", "inlined" (by the host, for another device), "launched".
    std::optional<double> begin;    ///< None where the driver does not say.
    std::optional<double> seconds;  ///< Likewise.
    double call_begin = 0;          ///< Of the call that enqueued or ran it.
    double call_seconds = 0;        ///< What that took the calling thread.
  };
  /// What was calculated together.
  struct Evaluation {
    std::vector<Kernel> kernels;  ///< In the order in which they were enqueued.
    /// Values that did not join a kernel that wants them, by the reason.
    std::vector<std::pair<std::string_view, std::int64_t>> stops;
    double begin = 0;          ///< Of the call that evaluated.
    double seconds = 0;        ///< What that took the calling thread.
    std::uint64_t thread = 0;  ///< Which thread called.
  };

  /// Begins to record.
  [[nodiscard("it ends with the statement: give it a name")]] Profile();
  /// Ends it; waits for nothing.
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// Ends the recording and waits for the kernels that it has; the second time does nothing.
  void end();
  /// What was recorded; empty before end().
  const std::vector<Evaluation>& evaluations() const { return evaluations_; }
  /// Writes a Chrome trace, which ui.perfetto.dev opens: one track for each thread, and one for
  /// each device with queues. Throws FileError if it cannot be written.
  void save(const std::string& file) const;

 private:
  bool is_open_ = true;
  std::size_t first_evaluation_ = 0, first_kernel_ = 0;
  std::vector<Evaluation> evaluations_;
};

/// "sin, multiply of shape (2, 3) on cpu, host: 1.2 us"
ISTHMUS_EXPORT std::string to_string(const Profile::Kernel& kernel);
/// A line for the evaluation, one for each of its kernels, and one for each reason in `stops`.
ISTHMUS_EXPORT std::string to_string(const Profile::Evaluation& evaluation);
/// @{
/// All of its evaluations.
ISTHMUS_EXPORT std::string to_string(const Profile& profile);
inline std::ostream& operator<<(std::ostream& out, const Profile& profile) {
  return out << to_string(profile);
}
/// @}

namespace detail {
/// The text of a Chrome trace; see Profile::save().
ISTHMUS_EXPORT std::string trace_of(std::span<const Profile::Evaluation> evaluations);
}  // namespace detail

/// Records all from now on for a trace in this file, which is written when the process ends or a
/// file is set anew; empty: none. At first that of ISTHMUS_PROFILE. A trace that is written at the
/// end of a C++ program has no times of queues, since drivers may be gone by then. Throws
/// ValueError if the file cannot be written or holds something else than a trace, and changes
/// nothing.
ISTHMUS_EXPORT void set_profile_file(const std::string& file);
/// That file; empty: none.
ISTHMUS_EXPORT std::string profile_file();

}  // namespace isthmus::inline ISTHMUS_ABI
