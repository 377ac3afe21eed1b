// launch_check.cpp: checks that results inherit, and their errors.
#include "isthmus/runtime/submit/launch_check.h"

#include <algorithm>
#include <mutex>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/submit/submission.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

template <class Check>
Check* find_failed(const std::vector<Ref<Check>>& checks) noexcept {
  for (const Ref<Check>& check : checks)
    if (check->has_failed()) return check.get();
  return nullptr;
}

/// Whether nobody has to hear of it. Its work has ended.
bool is_settled(const Ref<LateCheck>& check) noexcept {
  return !check->has_failed() || static_cast<LaunchCheck*>(check.get())->is_over();
}

}  // namespace

LaunchCheck::LaunchCheck(Relying own, Inherited inherited, std::function<std::string()> describe)
    : own_(std::move(own.checks)),
      inherited_(std::move(inherited)),
      describe_(std::move(describe)),
      is_store_(own.is_store) {
  if (!own_.empty() || !inherited_.of_read.empty()) written_ = own.written;
  for (const Ref<LateCheck>& check : inherited_.of_written) {
    const Addresses& before = static_cast<const LaunchCheck*>(check.get())->written();
    written_.begin = std::min(written_.begin, before.begin);
    written_.end = std::max(written_.end, before.end);
  }
}

bool LaunchCheck::has_gone_wrong() noexcept {
  return find_failed(own_) || find_failed(inherited_.of_read) || find_failed(inherited_.of_written);
}

void LaunchCheck::forget() noexcept {
  Findings own;
  Inherited inherited;
  {
    const std::lock_guard hold(lock_);
    own.swap(own_);
    inherited.of_read.swap(inherited_.of_read);
    inherited.of_written.swap(inherited_.of_written);
  }
  for (const Ref<Finding>& check : own) check->let_go();
  for (const LateChecks* checks : {&inherited.of_read, &inherited.of_written})
    for (const Ref<LateCheck>& check : *checks) check->let_go();
}

// What has failed lets go of nothing, so that its lists stay as they are.
bool LaunchCheck::is_over() const noexcept {
  if (find_failed(own_)) {
    if (!is_store_ || !was_reported_.load(std::memory_order_acquire)) return false;
  } else if (find_failed(inherited_.of_read)) {
    return false;
  }
  return std::ranges::all_of(inherited_.of_written, is_settled);
}

void LaunchCheck::add_stops(Findings& checks) {
  if (is_store_) return;  // what it wrote are values
  const std::lock_guard hold(lock_);
  for (const Ref<Finding>& check : own_)
    if (check->stops_writes) checks.push_back(check);
}

const LaunchCheck* LaunchCheck::cause() const noexcept {
  const Finding* const own = find_failed(own_);
  // indices that are wrong because others were are not the cause; a store has its positions' checks
  if (auto* const read = static_cast<LaunchCheck*>(find_failed(inherited_.of_read)))
    return own && find_failed(read->own_) == own ? nullptr : read;
  return own ? nullptr : static_cast<LaunchCheck*>(find_failed(inherited_.of_written));
}

void LaunchCheck::raise() {
  const LaunchCheck* first = this;
  while (const LaunchCheck* const before = first->cause()) first = before;
  std::shared_ptr<const Error> error;
  try {
    find_failed(first->own_)->raise();
  } catch (const Error& known) {
    error = known.share();
  }
  if (error->code() == Errc::interrupted) error->raise();
  for (const LaunchCheck* failed = this; failed; failed = failed->cause())
    failed->was_reported_.store(true, std::memory_order_release);
  const std::string what = detail::format("{}: {}", first->describe_(), error->what());
  if (first == this) fail(error->code(), "{}", what);
  fail(error->code(), "{}: {}", describe_(), what);
}

void LaunchCheck::take_back() noexcept {
  for (const LaunchCheck* failed = this; failed; failed = failed->cause())
    failed->was_reported_.store(false, std::memory_order_release);
}

void add_checks(BackendMemory& memory, LateChecks& checks, LateChecks& settled,
                const std::optional<Addresses>& overwritten) {
  Activity& activity = memory.activity();
  if (activity.checks.empty()) return;
  const bool have_ended = std::ranges::all_of(activity.hazards.writes,
                                              [](const auto& event) { return event->is_done(); });
  settled.reserve(settled.size() + activity.checks.size());
  checks.reserve(checks.size() + activity.checks.size());
  std::size_t left = 0;
  for (Ref<LateCheck>& check : activity.checks) {
    if (have_ended && is_settled(check)) {
      settled.push_back(std::move(check));
      continue;
    }
    const auto& launch = static_cast<const LaunchCheck&>(*check);
    const bool is_over = overwritten && overwritten->contains(launch.written());
    if (!is_over && std::ranges::find(checks, check) == checks.end()) checks.push_back(check);
    std::swap(activity.checks[left++], check);
  }
  activity.checks.resize(left);
}

void raise_if_failed(const Findings& own, const Inherited& inherited) {
  if (Finding* const failed = find_failed(own)) failed->raise();
  for (const LateChecks* checks : {&inherited.of_read, &inherited.of_written})
    for (const Ref<LateCheck>& check : *checks)
      if (!is_settled(check)) check->raise();
}

void settle_checks(BackendMemory& memory) {
  LateChecks checks;
  {
    const std::lock_guard lock(graph_lock());
    if (memory.activity().checks.empty()) return;
    checks = memory.activity().checks;
  }
  for (const Ref<LateCheck>& check : checks)
    if (!is_settled(check)) check->raise();
  for (const Ref<LateCheck>& check : checks) check->let_go();
  const std::lock_guard lock(graph_lock());
  if (memory.activity().checks == checks) memory.activity().checks.clear();  // `checks` has them
}

void take_back_error(BackendMemory& memory) {
  LateChecks checks;
  {
    const std::lock_guard lock(graph_lock());
    checks = memory.activity().checks;
  }
  for (const Ref<LateCheck>& check : checks)
    if (check->has_failed()) static_cast<LaunchCheck*>(check.get())->take_back();
}

void add_stops(std::span<BackendMemory* const> reads, Findings& checks) {
  const std::lock_guard lock(graph_lock());
  for (BackendMemory* const memory : reads)
    for (const Ref<LateCheck>& check : memory->activity().checks)
      static_cast<LaunchCheck*>(check.get())->add_stops(checks);
}

bool writes_have_ended(BackendMemory& memory) {
  const std::lock_guard lock(graph_lock());
  return std::ranges::all_of(memory.activity().hazards.writes, [](const Ref<Event>& event) {
    return event->is_done() && !event->has_failed();
  });
}

bool has_checks(BackendMemory& memory) {
  if (memory.is_quiet.load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(graph_lock());
  return !memory.activity().checks.empty();
}

Ref<BackendMemory> place_finding(Finding& check, const Ref<BackendMemory>& memory,
                                 std::int64_t element, const Ref<BackendQueue>& queue) {
  if (Ref<BackendMemory> known = check.memory()) return known;
  if (memory->is_host_accessible()) {
    check.look_at(memory, element);
    return memory;
  }
  constexpr std::size_t bytes = sizeof(std::int64_t);
  Ref<BackendMemory> here = allocate(Device(), bytes);
  BackendMemory *const from = memory.get(), *const to = here.get();
  Submission(queue, {&from, 1}, {&to, 1})
      .run(
          [&](const Events& waits) {
            return backend(queue->context->device)
                .copy(*queue, *from, static_cast<std::size_t>(element) * bytes, *to, 0, bytes,
                      waits);
          },
          [] { return std::string("copy of what a check of indices has found"); }, 1, [] {});
  check.look_at(here, 0);
  return here;
}

}  // namespace isthmus::inline ISTHMUS_ABI
