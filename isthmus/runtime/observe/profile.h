// profile.h: a record of evaluations: kernels, devices, times, and why fusion stopped.
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

/// Records all evaluations of all threads while it lives:
///
///     xp::Profile profile;
///     xp::sum(xp::sin(x)).eval();
///     profile.end();
///     std::cout << profile;
///     profile.save("trace.json");
///
/// ISTHMUS_PROFILE=trace.json does so for a whole process. Without profiling the cost is one
/// comparison per evaluation. One object must be used by one thread at a time.
class ISTHMUS_EXPORT Profile {
 public:
  /// One kernel. Times are in seconds; begin times count from the start of the profile.
  struct Kernel {
    std::vector<std::string_view> operations;  ///< Their names.
    Dims shape;                                ///< Of the loop; for a reduction, of its input.
    Device device;                             ///< Of the result.
    std::string_view where;  ///< "host", "inlined" (by the host, for another device), "launched".
    std::optional<double> begin;    ///< Nothing if the driver does not report it.
    std::optional<double> seconds;  ///< Likewise.
    double call_begin = 0;          ///< Of the call that enqueued or ran it.
    double call_seconds = 0;        ///< Time of the calling thread in it.
  };
  /// One evaluation: what was calculated together.
  struct Evaluation {
    std::vector<Kernel> kernels;  ///< In the order in which they were enqueued.
    /// The number of values that did not join the kernel that needs them, by reason.
    std::vector<std::pair<std::string_view, std::int64_t>> stops;
    double begin = 0;          ///< Of the call that evaluated.
    double seconds = 0;        ///< Time of the calling thread in it.
    std::uint64_t thread = 0;  ///< Which thread called.
  };

  /// Begins recording.
  [[nodiscard("it ends with the statement: give it a name")]] Profile();
  /// Ends recording; waits for nothing.
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// Ends recording and waits for the recorded kernels; a second call does nothing.
  void end();
  /// The recorded evaluations; empty before end().
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
/// All evaluations of the profile.
ISTHMUS_EXPORT std::string to_string(const Profile& profile);
inline std::ostream& operator<<(std::ostream& out, const Profile& profile) {
  return out << to_string(profile);
}
/// @}

namespace detail {
/// The text of a Chrome trace; see Profile::save().
ISTHMUS_EXPORT std::string trace_of(std::span<const Profile::Evaluation> evaluations);
}  // namespace detail

/// Records everything from now on for a trace in this file, which is written when the process ends
/// or another file is set; empty: none. Initially the file of ISTHMUS_PROFILE. A trace that is
/// written at the end of a C++ program has no times of queues, because drivers may be gone by then.
/// Throws ValueError, and changes nothing, if the file cannot be written or contains something
/// other than a trace.
ISTHMUS_EXPORT void set_profile_file(const std::string& file);
/// That file; empty: none.
ISTHMUS_EXPORT std::string profile_file();

}  // namespace isthmus::inline ISTHMUS_ABI
