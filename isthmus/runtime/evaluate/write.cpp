// write.cpp: effects: a pending value into memory that is there already.
#include <algorithm>

#include "isthmus/codegen/lower.h"
#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/evaluate/evaluation.h"
#include "isthmus/runtime/evaluate/running.h"
#include "isthmus/runtime/submit/foreign_work.h"
#include "isthmus/runtime/submit/launch.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Adds readers of what will be overwritten that the plan does not run anyway. Needs graph_lock;
/// `found` is dropped without it.
void add_readers_outside(std::vector<Ref<Storage>>& found, BackendMemory& memory,
                         std::uintptr_t begin, std::uintptr_t end, std::uint64_t visit) {
  for (Reader* reader = memory.activity().readers; reader; reader = reader->next) {
    const Extent seen = extent_of(*reader->seen);
    const auto first =
        reader->memory->handle + static_cast<std::uintptr_t>(seen.begin * reader->bytes);
    const auto last =
        reader->memory->handle + static_cast<std::uintptr_t>(seen.end * reader->bytes);
    if (first >= end || last <= begin || reader->node->visit == visit) continue;
    Storage* storage = highest_consumer(reader->node)->storage;
    found.emplace_back();  // first, since a reference may be the last one now
    if (storage->try_hold())
      found.back() = Ref<Storage>::take(storage);
    else
      found.pop_back();
  }
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
    BackendMemory& memory = *source.storage->memory();
    if (&memory.activity() != &target.memory->activity()) return false;
    const Extent in = extent_of(source.layout);
    const std::int64_t size = source.storage->dtype.bytes();
    const auto first = static_cast<std::int64_t>(memory.handle) + in.begin * size;
    if (first >= end || static_cast<std::int64_t>(memory.handle) + in.end * size <= begin)
      return false;
    const bool is_same =
        !source.is_base && kernel.program.shape != KernelShape::store && size == bytes &&
        !(is_of_map && kernel.program.has_kept_axes()) &&
        source.layout.strides == target.layout.strides &&
        static_cast<std::int64_t>(memory.handle) + source.layout.offset * size ==
            static_cast<std::int64_t>(target.memory->handle) + target.layout.offset * bytes;
    return !is_same;
  };
  return std::ranges::any_of(kernel.inputs, [&](auto& s) { return overlaps(s, true); }) ||
         std::ranges::any_of(kernel.epilogue_inputs, [&](auto& s) { return overlaps(s, false); });
}

/// Whether a kernel reads memory that the target is part of, so that it is worth a closer look.
bool reads_memory_of(const Group& group, const View& target) {
  return std::ranges::any_of(group.reads, [&](const Operand* operand) {
    const Storage& read = *operand->storage;
    return read.is_ready() && &read.memory()->activity() == &target.memory->activity();
  });
}

/// Before what they read is written to. An error stays with the reader that it belongs to.
void evaluate_all(const std::vector<Ref<Storage>>& readers) {
  for (const Ref<Storage>& reader : readers) try {
      if (!reader->is_ready()) evaluate(std::span(&reader, 1), Shortage::fail);
    } catch (const Error&) {
      if (reader->state() == Storage::State::pending) throw;  // an interrupt
    }
}

std::unique_ptr<Node> copy_node(Operand value, DType dtype, const Ref<BackendContext>& context) {
  auto node =
      std::make_unique<Node>(work::Map(Op::astype, dtype.is_builtin() ? dtype.id : TypeId::uint8));
  node->context = context;
  node->operand_count = 1;
  node->operands[0] = std::move(value);
  return node;
}

/// What is written, and where: at the place of the loop, or at positions.
struct Effect {
  Operand value;
  Operand positions;  ///< Of kind none: the place of the loop.
  Dims shape;
  Store how = Store::any_order;
  bool is_value_whole = false;  ///< It lies in memory that nothing else knows.

  bool is_store() const { return positions.kind != Operand::Kind::none; }
  DType from(DType target) const {
    return value.kind == Operand::Kind::storage ? value.storage->dtype : target;
  }

  std::unique_ptr<Node> node(DType target, const Ref<BackendContext>& context) const {
    if (!is_store()) {
      auto copy = copy_node(value, from(target), context);
      copy->is_of_effect = true;
      return copy;
    }
    auto node = std::make_unique<Node>(work::Store(target.id, how));
    node->context = context;
    node->operand_count = 2;
    node->operands[0] = value;
    node->operands[1] = positions;
    node->is_of_effect = true;
    return node;
  }

  /// Calculates the value, or the positions where that was not enough, into memory of its own,
  /// which what is pending gets anyway.
  void make_whole(const Ref<Storage>& target, const Ref<BackendContext>& context) {
    const bool is_value = value.kind == Operand::Kind::storage && !is_value_whole;
    Operand& operand = is_value ? value : positions;
    is_value_whole = true;
    if (!operand.storage->is_ready()) return evaluate(operand.storage);
    const DType dtype = operand.storage->dtype;
    auto whole =
        make_pending(dtype, target->device, row_major(shape), copy_node(operand, dtype, context));
    evaluate(whole);
    operand = Operand{};
    operand.kind = Operand::Kind::storage;
    operand.storage = std::move(whole);
  }
};

void run(Effect effect, const Ref<Storage>& storage, const Layout& target) {
  evaluate(storage);
  const View view{storage->memory(), storage->dtype, target};
  check(!view.memory->is_read_only, Errc::value, "write: the memory is read-only; copy it first");
  if (product_of({effect.shape.begin(), effect.shape.end()}) == 0) return;
  const Extent extent = extent_of(target);
  const auto address = [&](std::int64_t element) {
    return view.memory->handle + static_cast<std::uintptr_t>(element * storage->dtype.bytes());
  };
  for (;;) {
    // dense, should another thread come first and evaluate it as a reader, into memory of its own
    auto pending = make_pending(storage->dtype, storage->device, row_major(effect.shape),
                                effect.node(storage->dtype, view.memory->context));
    Ref<Storage> busy;  // dropped after the lock, as are the readers
    std::vector<Ref<Storage>> readers, held;
    std::unique_lock lock(graph_lock());
    Storage* root = pending.get();
    const Plan plan = make_plan(std::span(&root, 1), held);
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
    add_readers_outside(readers, *view.memory, address(extent.begin), address(extent.end),
                        plan.visit);
    if (!readers.empty()) {
      lock.unlock();
      evaluate_all(readers);
      continue;
    }
    const Group& last = plan.groups.back();
    if (reads_memory_of(last, view) && overlaps_its_inputs(lower(last), view)) {
      lock.unlock();
      // what is read would change under the write: calculate all of it first
      pending = nullptr;
      effect.make_whole(storage, view.memory->context);
      continue;
    }
    const bool is_target_open = is_open(*view.memory);
    Evaluation evaluation(plan, &view);
    lock.unlock();
    evaluation.run(Shortage::retry);
    if (pending->state() == Storage::State::pending) continue;  // what it reads was put off
    // who may write what it reads, or look at what it writes, may do so when this returns
    if (is_target_open || evaluation.reads_open()) wait(pending, is_target_open);
    pending->raise_if_failed();
    return;
  }
}

}  // namespace

void write(const Ref<Storage>& storage, const Layout& target, Operand value) {
  if (write_alone(*storage, target, value)) return;
  Effect effect;
  effect.value = std::move(value);
  effect.shape = target.shape;
  run(std::move(effect), storage, target);
}

void write_at(const Ref<Storage>& storage, const Layout& target, Operand value, Operand positions,
              const Dims& shape, Store how) {
  Effect effect;
  effect.value = std::move(value);
  effect.positions = std::move(positions);
  effect.shape = shape;
  effect.how = how;
  run(std::move(effect), storage, target);
}

void evaluate_readers(BackendMemory& memory) {
  for (;;) {
    std::vector<Ref<Storage>> readers;
    {
      std::lock_guard lock(graph_lock());
      constexpr auto no_plan = ~std::uint64_t{0};
      add_readers_outside(readers, memory, memory.handle, memory.handle + memory.bytes, no_plan);
    }
    if (readers.empty()) return;
    evaluate_all(readers);
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
