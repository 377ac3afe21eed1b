// profile.cpp: the evaluator's records as values with times in seconds, and as a trace.
#include "isthmus/runtime/observe/profile.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "isthmus/base/environment.h"
#include "isthmus/base/file_error.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr std::string_view trace_start = "{\"traceEvents\"";
constexpr std::string_view places[] = {"host", "inlined", "launched"};

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

/// When the kernel ran, if its driver tells.
std::optional<Interval> time_of(const KernelRecord& record, bool asks_drivers) {
  if (!record.event) return record.host;
  if (!asks_drivers) return {};
  record.event->settle();
  return record.event->ran();
}

/// Waits for the kernels if asked to: only then drivers tell when they ran.
std::vector<Profile::Evaluation> readable(const ProfileRecords& records, bool asks_drivers) {
  std::int64_t start = records.evaluations.empty() ? 0 : records.evaluations[0].host.begin;
  for (const EvaluationRecord& record : records.evaluations)
    start = std::min(start, record.host.begin);
  std::vector<Profile::Evaluation> evaluations;
  std::unordered_map<std::int64_t, std::size_t> by_number;
  std::vector<const EvaluationRecord*> in_order;
  for (const EvaluationRecord& record : records.evaluations) in_order.push_back(&record);
  std::ranges::stable_sort(in_order, {},
                           [](const EvaluationRecord* record) { return record->host.begin; });
  for (const EvaluationRecord* record : in_order) {
    by_number[record->number] = evaluations.size();
    Profile::Evaluation& made = evaluations.emplace_back();
    made.begin = seconds(record->host.begin - start);
    made.seconds = seconds(record->host.end - record->host.begin);
    made.thread = record->thread;
    for (std::size_t i = 0; i < record->stops.size(); ++i)
      if (record->stops[i]) made.stops.emplace_back(reason(static_cast<Stop>(i)), record->stops[i]);
  }
  for (const KernelRecord& record : records.kernels) {
    const auto place = by_number.find(record.evaluation);
    if (place == by_number.end()) continue;  // its evaluation is not over yet
    Profile::Kernel& made = evaluations[place->second].kernels.emplace_back();
    made.operations.assign(record.operations.begin(), record.operations.end());
    made.shape = record.shape;
    made.device = record.device;
    made.where = places[static_cast<int>(record.where)];
    made.call_begin = seconds(record.host.begin - start);
    made.call_seconds = seconds(record.host.end - record.host.begin);
    if (const auto ran = time_of(record, asks_drivers)) {
      made.begin = seconds(ran->begin - start);
      made.seconds = seconds(ran->end - ran->begin);
    }
  }
  return evaluations;
}

std::string names_in(const Profile::Kernel& kernel) {
  std::string names;
  for (const std::string_view name : kernel.operations) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names.empty() ? "copy" : names;
}

std::string microseconds(double seconds) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, seconds * 1e6, std::chars_format::fixed, 1);
  return format("{} us", std::string_view(text, static_cast<std::size_t>(end.ptr - text)));
}

void write(const std::string& file, std::span<const Profile::Evaluation> evaluations) {
  detail::check_path("profile", file);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!(out << detail::trace_of(evaluations) << std::flush))
    throw SystemFileError(format("profile: '{}'", file), "be written", errno, file);
}

/// The trace of the process.
struct Whole {
  std::mutex lock;
  std::string file;
  pid_t process = 0;  ///< That which records: a forked child writes nothing.
  ProfileMark since;
};
Whole& whole() {
  static Whole& w = *new Whole;  // leaked: it is needed after static objects are gone
  return w;
}

/// Throws value for a file that cannot be written, or that holds something else: it is replaced
/// long after it was named.
void check_file(const std::string& file) {
  detail::check_path("profile", file);
  std::string start(std::string_view(trace_start).size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  check(in.gcount() == 0 || start == trace_start, Errc::value,
        "profile: '{}' holds something that is not a trace; name another file, or remove it", file);
  check(std::ofstream(file, std::ios::app).good(), Errc::value,
        "profile: '{}' cannot be written: {}", file, std::strerror(errno));
}

/// Needs the lock.
void end_whole(Whole& w, bool asks_drivers) {
  if (w.file.empty()) return;
  const std::string file = std::exchange(w.file, {});
  const ProfileRecords records = end_profile(w.since);
  if (w.process == getpid()) write(file, readable(records, asks_drivers));
}

void write_at_exit() {
  Whole& w = whole();
  const std::unique_lock lock(w.lock, std::try_to_lock);
  if (!lock) return;  // a thread that writes it is still there
  try {
    end_whole(w, false);
  } catch (const std::exception& error) {
    warn_of_setting(error.what());
  }
}

}  // namespace

Profile::Profile() {
  const ProfileMark mark = begin_profile();
  first_evaluation_ = mark.evaluations, first_kernel_ = mark.kernels;
}

Profile::~Profile() {
  if (is_open_) end_profile({first_evaluation_, first_kernel_});
}

void Profile::end() {
  if (!std::exchange(is_open_, false)) return;
  const ProfileRecords records = end_profile({first_evaluation_, first_kernel_});
  const Unblocked unblocked;
  evaluations_ = readable(records, true);
}

void Profile::save(const std::string& file) const { write(file, evaluations_); }

std::string to_string(const Profile::Kernel& kernel) {
  return format("{} of shape {} on {}, {}: {}", names_in(kernel), kernel.shape, kernel.device,
                kernel.where, kernel.seconds ? microseconds(*kernel.seconds) : "?");
}

std::string to_string(const Profile::Evaluation& evaluation) {
  const std::size_t count = evaluation.kernels.size();
  std::string text = format("evaluation of {} {}, {}", count, count == 1 ? "kernel" : "kernels",
                            microseconds(evaluation.seconds));
  for (const Profile::Kernel& kernel : evaluation.kernels)
    text += format("\n  {}", to_string(kernel));
  for (const auto& [reason, times] : evaluation.stops)
    text += format("\n  not fused, {}: {}", times, reason);
  return text;
}

std::string to_string(const Profile& profile) {
  std::string text;
  for (const Profile::Evaluation& evaluation : profile.evaluations())
    text += format("{}{}", text.empty() ? "" : "\n", to_string(evaluation));
  return text.empty() ? "nothing was evaluated" : text;
}

void set_profile_file(const std::string& file) {
  const Unblocked unblocked;
  Whole& w = whole();
  const std::lock_guard lock(w.lock);
  if (!file.empty()) check_file(file);
  end_whole(w, true);
  if (file.empty()) return;
  static const bool is_registered = std::atexit(write_at_exit) == 0;
  static_cast<void>(is_registered);
  w.file = file, w.process = getpid(), w.since = begin_profile();
}

std::string profile_file() {
  Whole& w = whole();
  const std::lock_guard lock(w.lock);
  return w.file;
}

void read_profile_setting() noexcept {
  static std::atomic<bool> is_read{false};
  if (is_read.exchange(true)) return;
  try {
    const std::string file = variable("ISTHMUS_PROFILE");
    if (!file.empty()) set_profile_file(file);
  } catch (const std::exception& error) {
    warn_of_setting(format("ISTHMUS_PROFILE: {}; use a file in a folder of yours", error.what()));
  }
  end_reading_profile_setting();
}

}  // namespace isthmus::inline ISTHMUS_ABI
