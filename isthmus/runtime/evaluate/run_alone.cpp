// run_alone.cpp: the short ways for a few small operations that the host does on values that are
// there.
//
// They do what a plan of one kernel would do, without the plan: on a few elements planning would
// cost several times the work.
#include <algorithm>

#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/alone.h"
#include "isthmus/runtime/evaluate/failure.h"
#include "isthmus/runtime/evaluate/small_kernels.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/launch.h"
#include "isthmus/runtime/submit/queues.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

/// Beside the work on more elements than this a plan costs little, and it can put a result where an
/// operand lay that nobody needs any more.
constexpr std::int64_t most_elements = 262144;
/// Operations on more elements than this are worth being divided among threads.
constexpr std::int64_t one_thread = 8192;
/// Simple operations that others may wait for: a tenth of a microsecond.
constexpr std::int64_t most_at_once = 1024;

/// The work, if it is a reduction of the library; else null.
const work::Reduce* fold_of(const Node& node) {
  const auto* const fold = std::get_if<work::Reduce>(&node.work);
  return fold && !fold->function ? fold : nullptr;
}

/// Memory of the device that the host reaches; null if there is none, or it is out of reach.
Ref<BackendMemory> allocate_here(const Device& device, std::size_t bytes) {
  try {
    if (device.is_host()) return allocate(device, bytes);
    if (!backend(device).describe(device.index()).has_unified_memory) return nullptr;
    return allocate(*current_backend_queue(device), bytes);
  } catch (const Error&) {
    return nullptr;  // the plan will say what it was
  }
}

/// Whether it takes so little that others can wait for it.
bool is_short(const work::Map* map, std::int64_t count) {
  if (count <= few_elements) return true;
  return map && count <= most_at_once &&
         count * cost_of(Step{map->op, map->type, map->type, {}}) <= most_at_once;
}

/// All of a few dense elements to one value, if they need no cast. Needs graph_lock.
[[gnu::hot]] bool run_fold(const Node& node, const work::Reduce& work, BackendMemory& memory) {
  const Operand& operand = node.operands[0];
  const Layout& seen = operand.seen();
  const bool is_one = std::ranges::all_of(work.axes, [](bool is_reduced) { return is_reduced; });
  return is_one && operand.storage->dtype.id == work.type && is_row_major(seen) &&
         host::run_fold(work.reduction, work.type, memory.host, address_of(operand), seen.count());
}

}  // namespace

/// Notes a kernel that began at `begin`, over a loop of this shape.
static void note(Rows kernel, const Dims& shape, std::int64_t begin, void (*add)(KernelRecord)) {
  add({0,
       names_of(kernel),
       shape,
       kernel.back()->storage->device,
       place_of(kernel.back()->storage->device),
       {begin, now_in_nanoseconds()},
       nullptr});
}

/// One row of few elements, or one reduction to a value, without more ado; whether it was so. Needs
/// graph_lock.
[[gnu::hot]] static bool run_at_once(Node& node, BackendMemory& memory, std::int64_t begin) {
  const Storage& storage = *node.storage;
  const std::int64_t count = storage.layout.count();
  // a plan writes all results of a call at once
  if (node.sibling || count == 0) return false;
  const work::Map* const map = map_of(node);
  const work::Reduce* const fold = map ? nullptr : fold_of(node);
  if ((!map && !fold) || !is_short(map, count) || !stands_alone(node, memory.context)) return false;
  if (map ? !run_row(node, *map, memory.host, count) : !run_fold(node, *fold, memory)) return false;
  Node* const only = &node;
  if (begin)
    note({&only, 1}, fold ? node.operands[0].seen().shape : storage.layout.shape, begin,
         note_alone);
  count_kernel(map ? 1 : 0, !storage.device.is_host());
  return true;
}

/// Runs one kernel of `storage`, which began at `begin` if it is to be noted. Adds the steps it
/// took, or sets the error.
static void run_one(const Storage& storage, Rows kernel, BackendMemory& memory, std::int64_t begin,
                    std::int64_t& steps, Failure& failure) {
  const Node& last = *kernel.back();
  const Storage& result = *last.storage;
  const bool is_part = &result != &storage;
  try {
    // the strides of a part may be those of a view
    const std::int64_t count = result.layout.count();
    const bool is_row = kernel.size() == 1 && !is_part && count <= one_thread;
    const work::Map* const row = is_row ? map_of(last) : nullptr;
    const bool is_done = row && run_row(last, *row, memory.host, count);
    const Layout& layout = result.layout;
    char* const to = static_cast<char*>(memory.host) + layout.offset * result.dtype.bytes();
    steps += is_done ? 1 : run_program(kernel, to, layout.strides);
    if (begin) note(kernel, result.layout.shape, begin, is_part ? note_kernel : note_alone);
  } catch (const std::exception&) {
    failure = current_failure(
        [&] { return format("{} of shape {}", list_of(names_of(kernel)), result.layout.shape); });
  }
}

/// What find_kernels() has found, into memory. Sets the error, if any. Needs graph_lock, which it
/// lets go of while there is much to do.
static void run_kernels(Storage& storage, const Kernels& kernels, BackendMemory& memory,
                        std::int64_t begin, std::unique_lock<Mutex>& lock, Failure& failure) {
  std::optional<ProfiledEvaluation> together;
  if (begin && kernels.size() > 1) together.emplace();
  // values inside are running, too: who asks for one must wait
  const bool lets_go = storage.layout.count() > few_elements;
  if (lets_go) {
    storage.start();
    for (const Node* const node : kernels.nodes()) node->storage->start();
    lock.unlock();
  }
  std::int64_t steps = 0;
  run_one(storage, kernels[0], memory, begin, steps, failure);
  for (std::size_t k = 1; k < kernels.size() && !failure; ++k)
    run_one(storage, kernels[k], memory, profiled_now(), steps, failure);
  if (lets_go) {
    lock.lock();
    for (const Node* const node : kernels.nodes()) node->storage->restart();
  }
  for (std::size_t k = 0; k < kernels.size() && !failure; ++k)
    count_kernel(k ? 0 : steps, !storage.device.is_host());
}

[[gnu::hot]] bool run_alone(Storage& storage) {
  const std::int64_t count = storage.layout.count();
  if (!storage.dtype.is_builtin() || count > most_elements || !is_done_here(storage.device, count))
    return false;
  const std::int64_t begin = profiled_now();
  // before the lock, which must not be held while a block is asked for
  Ref<BackendMemory> memory =
      allocate_here(storage.device, static_cast<std::size_t>(count * storage.dtype.bytes()));
  if (!memory) return false;
  std::unique_lock lock(graph_lock());
  if (storage.state() != Storage::State::pending) return lock.unlock(), false;
  Node& node = *storage.node();
  Failure failure;
  if (!run_at_once(node, *memory, begin)) {
    Kernels kernels(memory->context);
    find_kernels(node, kernels);
    if (!kernels.size()) return lock.unlock(), false;
    if (count) run_kernels(storage, kernels, *memory, begin, lock, failure);
  }
  const std::unique_ptr<Node> done =
      failure ? storage.finish(std::move(failure)) : storage.finish(std::move(memory));
  lock.unlock();
  return true;
}

}  // namespace isthmus::inline ISTHMUS_ABI
