// evaluate.cpp: plan, lower, allocate, launch; the life of a pending value.
#include "isthmus/runtime/evaluate.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>

#include "isthmus/codegen/lower.h"
#include "isthmus/runtime/launch.h"
#include "isthmus/runtime/outside.h"
#include "isthmus/runtime/registry.h"
#include "isthmus/runtime/unblocked.h"

namespace isthmus {

namespace {

std::atomic<InterruptPoll> interrupt_poll{nullptr};
std::atomic<std::int64_t> stops[static_cast<int>(Stop::count_)];

/// Signalled when running storages become ready or fail. Leaked with its lock (graph_lock).
std::condition_variable_any& settled() {
  static auto& condition = *new std::condition_variable_any;
  return condition;
}

/// Threads that wait for it; they count themselves under graph_lock, before they look at a state.
std::atomic<std::int32_t> waiters{0};

/// After storages have settled. Costs nothing while nobody waits.
void tell() {
  if (waiters.load(std::memory_order_acquire) > 0) settled().notify_all();
}

using Trash = SmallVector<Node*, 8>;

void empty(Trash& trash) {
  for (Node* node : trash) delete node;
  trash.clear();
}

/// Set while what runs must be finished: the signal then waits for its turn.
thread_local bool is_uninterruptible = false;

void poll_interrupt() {
  if (is_uninterruptible) return;
  if (const InterruptPoll poll = interrupt_poll.load(std::memory_order_acquire)) poll();
}

/// Blocks until nobody calculates `storage` any more. Needs the lock, and lets go of it.
void wait_while_running(const Ref<Storage>& storage, std::unique_lock<Mutex>& lock) {
  while (storage->state() == Storage::State::running) {
    lock.unlock();
    {
      const Unblocked unblocked;  // who calculates it may want what we hold
      lock.lock();
      ++waiters;
      if (storage->state() == Storage::State::running)
        settled().wait_for(lock, std::chrono::milliseconds(50));
      --waiters;
      lock.unlock();
    }
    poll_interrupt();
    lock.lock();
  }
}

/// Element operations on the host, about a millisecond of them, from which on the thread lets
/// others run: below, handing a lock over would cost more than it gives.
constexpr std::int64_t long_work = 1 << 20;

/// "add, sin of shape (3,)", and where it was called if that is traced.
std::string what_of(const Lowered& kernel) {
  std::string text;
  const auto add = [&](std::string_view name) {
    if (!text.empty()) text += ", ";
    text += name;
  };
  for (const Step& step : kernel.program.map.steps)
    add(step.op == Op::astype ? "astype" : info(step.op).name);
  if (kernel.program.reduction) add(info(*kernel.program.reduction).name);
  for (const Step& step : kernel.program.epilogue.steps)
    add(step.op == Op::astype ? "astype" : info(step.op).name);
  const Storage& last = *kernel.outputs.back().storage;
  const std::string& trace = last.node()->trace;  // alive: the storage is running, by us
  return format("{} of shape {}{}{}", text.empty() ? "copy" : text, last.layout.shape,
                trace.empty() ? "" : ", called at ", trace);
}

/// Kernels of one plan, on their way.
class Evaluation {
 public:
  /// Lowers a plan and marks its outputs as running. Needs graph_lock. `target`, if any, is
  /// where the last output of the last kernel goes instead of to new memory.
  Evaluation(const Plan& plan, const View* target) : target_(target) {
    kernels_.reserve(plan.groups.size());
    for (const Group& group : plan.groups) kernels_.push_back(lower(group));
    // Values inside a kernel are running too: who asks for one must wait until the kernel is noted
    // as a reader of what it reads, even though the value itself will not be kept.
    for (std::size_t i = 0; i < plan.groups.size(); ++i)
      for (const Node* node : plan.groups[i].nodes) running_.push_back({node->storage, i});
    for (const Running& running : running_) running.storage->start();
    for (const Lowered& kernel : kernels_)
      for (const auto* sources : {&kernel.inputs, &kernel.epilogue_inputs})
        for (const Source& source : *sources)
          if (source.storage && source.storage->is_ready() && source.storage->memory()->is_shared())
            reads_shared_ = true;
    for (std::size_t i = 0; i < std::size(stops); ++i)
      if (plan.stops[i]) stops[i].fetch_add(plan.stops[i], std::memory_order_relaxed);
  }

  /// Whether it reads memory that others can reach.
  bool reads_shared() const { return reads_shared_; }

  /// Whether it calls a driver, or takes so long that others should run meanwhile.
  bool is_long() const {
    std::int64_t work = 0;
    for (const Lowered& kernel : kernels_) {
      if (!kernel.outputs[0].storage->device.is_host()) return true;
      std::int64_t elements = 1;
      for (std::int64_t extent : kernel.shape) elements *= extent;
      work += elements * static_cast<std::int64_t>(1 + kernel.program.map.steps.size());
    }
    return work > long_work;
  }

  /// Without the lock. What fails stays failed; what does not need it goes on. Throws only
  /// `interrupted`, after giving back what has not begun.
  void run() {
    const Unblocked unblocked(is_long());
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (i) try {
          poll_interrupt();
        } catch (...) {
          give_back(i);
          throw;
        }
      run(kernels_[i], target_ && i + 1 == kernels_.size() ? target_ : nullptr);
    }
  }

 private:
  void run(Lowered& kernel, const View* target) {
    std::vector<Ref<Memory>> memories;
    std::shared_ptr<const Error> error = error_below(kernel);
    if (!error) try {
        memories = launch(kernel, target);
      } catch (const Error& e) {
        error =
            std::make_shared<const Error>(e.code(), format("{}: {}", what_of(kernel), e.what()));
      } catch (const std::bad_alloc&) {
        error = std::make_shared<const Error>(
            Errc::out_of_memory, "evaluate: the host has no memory left for a kernel's plan");
      }
    Trash trash;
    {
      std::lock_guard lock(graph_lock());
      restart(static_cast<std::size_t>(&kernel - kernels_.data()));
      for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        Storage& storage = *kernel.outputs[i].storage;
        auto node = error ? storage.finish(error) : storage.finish(std::move(memories[i]));
        trash.push_back(node.release());
      }
    }
    tell();
    empty(trash);
  }

  static std::shared_ptr<const Error> error_below(const Lowered& kernel) {
    for (const auto* sources : {&kernel.inputs, &kernel.epilogue_inputs})
      for (const Source& source : *sources)
        if (source.storage && source.storage->state() == Storage::State::failed) try {
            source.storage->raise_if_failed();
          } catch (const Error& e) {
            return std::make_shared<const Error>(e);
          }
    return nullptr;
  }

  void give_back(std::size_t first) {
    {
      std::lock_guard lock(graph_lock());
      for (std::size_t i = first; i < kernels_.size(); ++i) restart(i);
    }
    tell();
  }

  /// All values of a kernel are pending again; its outputs then finish. Needs graph_lock.
  void restart(std::size_t kernel) {
    for (; next_ < running_.size() && running_[next_].kernel == kernel; ++next_)
      running_[next_].storage->restart();
  }

  struct Running {
    Storage* storage;  // alive until the kernel's outputs finish
    std::size_t kernel;
  };

  std::vector<Lowered> kernels_;
  SmallVector<Running, 8> running_;  ///< Kernel by kernel.
  std::size_t next_ = 0;
  bool reads_shared_ = false;
  const View* target_;
};

/// Readers of what will be overwritten that the plan does not run anyway. Needs graph_lock.
std::vector<Ref<Storage>> readers_outside(Memory& memory, std::uintptr_t begin, std::uintptr_t end,
                                          std::uint64_t visit) {
  std::vector<Ref<Storage>> found;
  for (Reader* reader = memory.activity().readers; reader; reader = reader->next) {
    const Extent seen = extent_of(*reader->seen);
    const auto first =
        reader->memory->handle + static_cast<std::uintptr_t>(seen.begin * reader->bytes);
    const auto last =
        reader->memory->handle + static_cast<std::uintptr_t>(seen.end * reader->bytes);
    if (first >= end || last <= begin || reader->node->visit == visit) continue;
    Storage* storage = highest_consumer(reader->node)->storage;
    if (storage->try_hold()) found.push_back(Ref<Storage>::take(storage));
  }
  return found;
}

/// Whether a kernel reads what it writes, but for elements it writes at the same place.
bool overlaps_its_inputs(const Lowered& kernel, const View& target) {
  const Extent out = extent_of(target.layout);
  const std::int64_t bytes = target.dtype.bytes();
  const auto begin = static_cast<std::int64_t>(target.memory->handle) + out.begin * bytes;
  const auto end = static_cast<std::int64_t>(target.memory->handle) + out.end * bytes;
  const auto overlaps = [&](const Source& source, bool is_of_map) {
    if (!source.storage) return false;
    if (!source.storage->is_ready()) return false;  // a kernel of this plan makes it, in new memory
    Memory& memory = *source.storage->memory();
    if (&memory.activity() != &target.memory->activity()) return false;
    const Extent in = extent_of(source.layout);
    const std::int64_t size = source.storage->dtype.bytes();
    const auto first = static_cast<std::int64_t>(memory.handle) + in.begin * size;
    if (first >= end || static_cast<std::int64_t>(memory.handle) + in.end * size <= begin)
      return false;
    const bool is_same =
        size == bytes && !(is_of_map && kernel.program.reduction) &&
        source.layout.strides == target.layout.strides &&
        static_cast<std::int64_t>(memory.handle) + source.layout.offset * size ==
            static_cast<std::int64_t>(target.memory->handle) + target.layout.offset * bytes;
    return !is_same;
  };
  return std::ranges::any_of(kernel.inputs, [&](auto& s) { return overlaps(s, true); }) ||
         std::ranges::any_of(kernel.epilogue_inputs, [&](auto& s) { return overlaps(s, false); });
}

/// Before what they read is written to. An error stays with the reader that it belongs to.
void evaluate_all(const std::vector<Ref<Storage>>& readers) {
  for (const Ref<Storage>& reader : readers) try {
      evaluate(reader);
    } catch (const Error& error) {
      if (error.code() == Errc::interrupted) throw;
    }
}

std::unique_ptr<Node> copy_node(Operand value, DType dtype) {
  auto node = std::make_unique<Node>();
  node->op = Op::astype;
  node->type = dtype.is_builtin() ? dtype.id : TypeId::uint8;
  node->operand_count = 1;
  node->operands[0] = std::move(value);
  return node;
}

}  // namespace

void evaluate(std::span<const Ref<Storage>> storages) {
  if (storages.size() == 1 && run_alone(*storages[0])) {
    tell();
    storages[0]->raise_if_failed();
    return;
  }
  std::vector<Ref<Storage>> busy;  // dropped after the lock
  std::unique_lock lock(graph_lock());
  for (;;) {
    SmallVector<Storage*, 4> roots;
    for (const Ref<Storage>& storage : storages) {
      wait_while_running(storage, lock);
      if (storage->state() == Storage::State::pending) roots.push_back(storage.get());
    }
    if (roots.empty()) break;
    Plan plan = make_plan({roots.begin(), roots.end()});
    if (!plan.running.empty()) {
      busy.push_back(Ref<Storage>::share(plan.running[0]));
      wait_while_running(busy.back(), lock);
      continue;
    }
    {
      Evaluation evaluation(plan, nullptr);
      lock.unlock();
      evaluation.run();
    }  // what it holds is dropped without the lock
    lock.lock();
  }
  lock.unlock();
  for (const Ref<Storage>& storage : storages) storage->raise_if_failed();
}

void write(const Ref<Storage>& storage, const Layout& target, Operand value) {
  evaluate(storage);
  const View view{storage->memory(), storage->dtype, target};
  check(!view.memory->is_read_only, Errc::value, "write: the memory is read-only; copy it first");
  if (target.count() == 0) return;
  const DType from = value.kind == Operand::Kind::storage ? value.storage->dtype : storage->dtype;
  const Extent extent = extent_of(target);
  const auto address = [&](std::int64_t element) {
    return view.memory->handle + static_cast<std::uintptr_t>(element * storage->dtype.bytes());
  };
  Operand operand = value;
  for (;;) {
    // dense, should another thread come first and evaluate it as a reader, into memory of its own
    auto pending = make_pending(storage->dtype, storage->device, row_major(target.shape),
                                copy_node(operand, from));
    Ref<Storage> busy;  // dropped after the lock
    std::unique_lock lock(graph_lock());
    Storage* root = pending.get();
    const Plan plan = make_plan(std::span(&root, 1));
    if (!plan.running.empty()) {
      busy = Ref<Storage>::share(plan.running[0]);
      wait_while_running(busy, lock);
      continue;
    }
    if (plan.groups.empty()) {
      lock.unlock();
      pending->raise_if_failed();
      continue;
    }
    auto readers =
        readers_outside(*view.memory, address(extent.begin), address(extent.end), plan.visit);
    if (!readers.empty()) {
      lock.unlock();
      evaluate_all(readers);
      continue;
    }
    if (overlaps_its_inputs(lower(plan.groups.back()), view)) {
      lock.unlock();
      // what is read would change under the write: calculate all of it first
      Layout dense = row_major(target.shape);
      auto whole = make_pending(from, storage->device, dense, copy_node(operand, from));
      pending = nullptr;
      evaluate(whole);
      operand = Operand{};
      operand.kind = Operand::Kind::storage;
      operand.storage = std::move(whole);
      continue;
    }
    const bool is_target_shared = view.memory->is_shared();
    Evaluation evaluation(plan, &view);
    lock.unlock();
    evaluation.run();
    // who may write what it reads, or look at what it writes, may do so when this returns
    if (is_target_shared || evaluation.reads_shared()) wait(pending, is_target_shared);
    pending->raise_if_failed();
    return;
  }
}

void evaluate_readers(Memory& memory) {
  for (;;) {
    std::vector<Ref<Storage>> readers;
    {
      std::lock_guard lock(graph_lock());
      constexpr auto no_plan = ~std::uint64_t{0};
      readers = readers_outside(memory, memory.handle, memory.handle + memory.bytes, no_plan);
    }
    if (readers.empty()) return;
    evaluate_all(readers);
  }
}

void wait(const Ref<Storage>& storage, bool for_writing) {
  evaluate(storage);
  Events writes, all;
  {
    std::lock_guard lock(graph_lock());
    add_waits_for_reading(*storage->memory(), writes);
    if (for_writing) add_waits_for_writing(*storage->memory(), all);
  }
  wait_for_outside(*storage->memory(), writes);
  if (writes.empty() && all.empty()) return;
  const Unblocked unblocked;
  for (const auto& event : all) try {
      event->wait();
    } catch (const Error&) {
      continue;  // a reader's error concerns whoever wanted its result; a writer's comes below
    }
  for (const auto& event : writes) event->wait();
}

namespace {

/// Memories that pending values read on the strength of a promise. Under graph_lock; leaked.
std::vector<Ref<Memory>>& put_off() {
  static auto& memories = *new std::vector<Ref<Memory>>;
  return memories;
}

}  // namespace

void note_put_off(const Ref<Storage>& storage) {
  std::lock_guard lock(graph_lock());
  const Node* node = storage->node();
  for (int i = 0; node && i < node->operand_count; ++i) {
    const Ref<Storage>& source = node->operands[i].storage;
    if (!source || !source->is_ready() || !source->memory()->is_shared()) continue;
    const auto& known = put_off();
    if (std::find(known.begin(), known.end(), source->memory()) == known.end())
      put_off().push_back(source->memory());
  }
}

void end_fusing() noexcept {
  std::vector<Ref<Memory>> memories;
  {
    std::lock_guard lock(graph_lock());
    memories.swap(put_off());
  }
  is_uninterruptible = true;  // what stayed pending would see what the host writes from now on
  for (const Ref<Memory>& memory : memories) {
    // An error belongs to the array whose value failed, and is thrown when somebody looks at it.
    try {
      evaluate_readers(*memory);
    } catch (const std::exception&) {
      continue;
    }
  }
  is_uninterruptible = false;
}

static std::atomic<bool (*)()> fusing_hook{nullptr};

void set_fusing_hook(bool (*is_fusing)()) { fusing_hook.store(is_fusing); }

bool Fusing::is_on() {
  if (depth() > 0) return true;
  const auto hook = fusing_hook.load(std::memory_order_acquire);
  return hook && hook();
}

int& Fusing::depth() {
  thread_local int depth = 0;
  return depth;
}

void set_interrupt_poll(InterruptPoll poll) { interrupt_poll.store(poll); }

Statistics statistics() {
  Statistics s = launch_statistics();
  for (std::size_t i = 0; i < std::size(stops); ++i) s.stops[i] = stops[i].load();
  return s;
}

namespace {

Inline inline_from_environment() {
  const char* text = std::getenv("ISTHMUS_INLINE");
  if (text && !std::strcmp(text, "0")) return Inline::never;
  if (text && !std::strcmp(text, "1")) return Inline::always;
  return Inline::automatic;
}

bool eager_from_environment() {
  const char* text = std::getenv("ISTHMUS_EAGER");
  return text && !std::strcmp(text, "1");
}

std::atomic<Inline> policy{inline_from_environment()};
std::atomic<bool> eager{eager_from_environment()};

}  // namespace

Inline inline_policy() { return policy.load(std::memory_order_relaxed); }
void set_inline_policy(Inline wanted) { policy.store(wanted); }
bool is_eager() { return eager.load(std::memory_order_relaxed); }
void set_eager(bool wanted) { eager.store(wanted); }

}  // namespace isthmus
