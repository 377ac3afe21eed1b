// records.cpp: lists of what was evaluated, kept while a profile is open.
#include "isthmus/runtime/observe/records.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

#include "isthmus/base/log.h"
#include "isthmus/base/mutex.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

std::atomic<int> open_profiles{1};  // one until ISTHMUS_PROFILE has been read
std::atomic<std::int64_t> evaluations{0};
thread_local std::int64_t current_evaluation = 0;

struct Records {
  Mutex lock;
  ProfileRecords all;
};
Records& records() {
  static Records& r = *new Records;  // leaked: threads may evaluate until the process ends
  return r;
}

template <class T>
void add(std::vector<T> ProfileRecords::* list, T record) noexcept {
  try {
    const std::lock_guard lock(records().lock);
    (records().all.*list).push_back(std::move(record));
  } catch (const std::bad_alloc&) {
    detail::log(Channel::runtime, Level::warning,
                "profile: a record is lost because the host has no memory left");
  }
}

}  // namespace

bool is_profiled() noexcept { return open_profiles.load(std::memory_order_relaxed) > 0; }

void end_reading_profile_setting() noexcept {
  ProfileRecords dropped;  // without the lock: events call drivers
  const std::lock_guard lock(records().lock);
  if (open_profiles.fetch_sub(1) == 1) std::swap(records().all, dropped);
}

ProfileMark begin_profile() {
  const std::lock_guard lock(records().lock);
  open_profiles.fetch_add(1);
  return {records().all.evaluations.size(), records().all.kernels.size()};
}

ProfileRecords end_profile(ProfileMark since) {
  ProfileRecords mine, dropped;  // dropped without the lock: events call drivers
  const std::lock_guard lock(records().lock);
  ProfileRecords& all = records().all;
  const auto copy = [](const auto& from, std::size_t first, auto& to) {
    to.assign(from.begin() + static_cast<std::ptrdiff_t>(std::min(first, from.size())), from.end());
  };
  copy(all.evaluations, since.evaluations, mine.evaluations);
  copy(all.kernels, since.kernels, mine.kernels);
  if (open_profiles.fetch_sub(1) == 1) std::swap(all, dropped);
  return mine;
}

static EvaluationRecord new_evaluation() {
  EvaluationRecord record;
  record.number = evaluations.fetch_add(1) + 1;
  record.thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
  return record;
}

std::int64_t profiled_now() noexcept {
  if (!is_profiled()) return 0;
  read_profile_setting();
  return is_profiled() ? now_in_nanoseconds() : 0;
}

ProfiledEvaluation::ProfiledEvaluation() {
  const std::int64_t now = profiled_now();
  if (!now) return;
  record_ = new_evaluation();
  record_.host.begin = now;
  before_ = std::exchange(current_evaluation, record_.number);
}

ProfiledEvaluation::~ProfiledEvaluation() {
  if (!record_.number) return;
  current_evaluation = before_;
  record_.host.end = now_in_nanoseconds();
  if (is_profiled()) add(&ProfileRecords::evaluations, record_);
}

void ProfiledEvaluation::note_stops(const Plan& plan) noexcept {
  std::copy(std::begin(plan.stops), std::end(plan.stops), record_.stops.begin());
}

void note_alone(KernelRecord kernel) noexcept {
  EvaluationRecord record = new_evaluation();
  record.host = kernel.host;
  kernel.evaluation = record.number;
  add(&ProfileRecords::evaluations, record);
  add(&ProfileRecords::kernels, std::move(kernel));
}

void note_kernel(KernelRecord kernel) noexcept {
  kernel.evaluation = current_evaluation;
  add(&ProfileRecords::kernels, std::move(kernel));
}

}  // namespace isthmus::inline ISTHMUS_ABI
