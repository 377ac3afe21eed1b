// evaluate.cpp: pending values to memory, and waiting for it.
#include "isthmus/runtime/evaluate/evaluate.h"

#include <algorithm>
#include <mutex>

#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/evaluation.h"
#include "isthmus/runtime/evaluate/running.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/launch.h"
#include "isthmus/runtime/submit/launch_check.h"
#include "isthmus/runtime/submit/waiting.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus::inline ISTHMUS_ABI {

[[gnu::hot]] void evaluate(std::span<const Ref<Storage>> storages, Shortage shortage) {
  if (storages.size() == 1 && run_alone(*storages[0])) {
    tell_settled();
    storages[0]->raise_if_failed();
    return;
  }
  std::vector<Ref<Storage>> held;  // dropped after the lock
  std::unique_lock lock(graph_lock());
  for (;;) {
    SmallVector<Storage*, 4> roots;
    for (const Ref<Storage>& storage : storages) {
      wait_while_running(storage, lock);
      if (storage->state() == Storage::State::pending) roots.push_back(storage.get());
    }
    if (roots.empty()) break;
    Plan plan = make_plan({roots.begin(), roots.end()}, held);
    if (!plan.running.empty()) {
      held.push_back(Ref<Storage>::share(plan.running[0]));
      wait_while_running(held.back(), lock);
      continue;
    }
    {
      Evaluation evaluation(plan, nullptr);
      lock.unlock();
      evaluation.run(shortage);
    }  // what it holds is dropped without the lock
    if (std::ranges::all_of(storages, [](const auto& s) { return s->is_ready(); })) return;
    lock.lock();
  }
  lock.unlock();
  for (const Ref<Storage>& storage : storages) storage->raise_if_failed();
}

[[gnu::hot]] void wait(const Ref<Storage>& storage, bool for_writing) {
  evaluate(storage);
  learn_of_foreign_work(*storage->memory());
  Events writes, all;
  bool is_foreign_work, has_checks;
  {
    std::lock_guard lock(graph_lock());
    has_checks = !storage->memory()->activity().checks.empty();
    // what has ended is not sorted out: asking a driver costs as much as a wait for nothing
    writes = storage->memory()->activity().hazards.writes;
    if (for_writing) add_waits_for_writing(*storage->memory(), all);
    is_foreign_work = has_foreign_queue(*storage->memory());
  }
  if (is_foreign_work) wait_for_foreign_work(*storage->memory(), writes);
  if (writes.empty() && all.empty() && !has_checks) return;
  const Unblocked unblocked;
  for (const auto& event : all) try {
      wait_for(event);
    } catch (const Error& error) {
      // a reader's error concerns whoever wanted its result; a writer's comes below
      if (error.code() == Errc::interrupted) throw;
    }
  for (const auto& event : writes) wait_for(event);
  if (has_checks) settle_checks(*storage->memory());
}

}  // namespace isthmus::inline ISTHMUS_ABI
