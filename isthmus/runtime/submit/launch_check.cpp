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

}  // namespace

bool LaunchCheck::has_gone_wrong() noexcept { return find_failed(own_) || find_failed(inherited_); }

void LaunchCheck::forget() noexcept {
  Findings own;
  LateChecks inherited;
  {
    const std::lock_guard hold(lock_);
    own.swap(own_), inherited.swap(inherited_);
  }
  for (const Ref<Finding>& check : own) check->let_go();
  for (const Ref<LateCheck>& check : inherited) check->let_go();
}

bool LaunchCheck::has_stopped() const noexcept {
  const Finding* const failed = find_failed(own_);
  return failed && failed->stops_writes;
}

// What has failed lets go of nothing, so that its lists stay as they are.
void LaunchCheck::raise() {
  const LaunchCheck* first = this;
  Finding* cause = find_failed(own_);
  while (!cause) {
    first = static_cast<const LaunchCheck*>(find_failed(first->inherited_));
    cause = find_failed(first->own_);
  }
  try {
    cause->raise();
  } catch (const Error& error) {
    if (error.code() == Errc::interrupted) throw;
    const std::string what = detail::format("{}: {}", first->describe_(), error.what());
    if (first == this) fail(error.code(), "{}", what);
    fail(error.code(), "{}: {}", describe_(), what);
  }
}

void add_checks(BackendMemory& memory, LateChecks& checks) {
  const Activity& activity = memory.activity();
  if (activity.checks.empty()) return;
  const bool is_over = std::ranges::all_of(activity.hazards.writes,
                                           [](const auto& event) { return event->is_done(); });
  for (const Ref<LateCheck>& check : activity.checks) {
    if (is_over && !check->has_failed()) continue;
    if (std::ranges::find(checks, check) == checks.end()) checks.push_back(check);
  }
}

void settle_checks(BackendMemory& memory) {
  LateChecks checks;
  {
    const std::lock_guard lock(graph_lock());
    if (memory.activity().checks.empty()) return;
    checks = memory.activity().checks;
  }
  LateChecks left;
  auto* const failed = static_cast<LaunchCheck*>(find_failed(checks));
  if (failed) left = checks;
  if (failed && failed->has_stopped()) {
    std::erase_if(left, [&](const Ref<LateCheck>& check) { return check.get() == failed; });
    left.insert(left.end(), failed->inherited().begin(), failed->inherited().end());
  }
  {
    const std::lock_guard lock(graph_lock());
    if (memory.activity().checks == checks) memory.activity().checks.swap(left);
  }
  if (failed) failed->raise();
  for (const Ref<LateCheck>& check : checks) check->let_go();
}

bool has_ended(BackendMemory& memory) {
  const std::lock_guard lock(graph_lock());
  return std::ranges::all_of(memory.activity().hazards.writes, [](const Ref<Event>& event) {
    return event->is_done() && !event->has_failed();
  });
}

bool has_checks(BackendMemory& memory) {
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
