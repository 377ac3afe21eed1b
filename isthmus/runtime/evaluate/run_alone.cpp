// run_alone.cpp: the short ways for a few small operations that the host does on values that are
// there.
//
// They do what a plan of one kernel would do, without the plan: on a few elements planning would
// cost several times the work.
#include <algorithm>
#include <cstring>

#include "isthmus/codegen/lower/tape_builder.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/alone.h"
#include "isthmus/runtime/evaluate/failure.h"
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

/// The work, if it is a row that is done alone; else null.
const work::Map* map_of(const Node& node) { return std::get_if<work::Map>(&node.work); }
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

/// Whether the operand is there, for the host alone, in that context. Needs graph_lock.
[[gnu::hot]] bool has_value(const Operand& operand, const Ref<BackendContext>& context) {
  if (operand.kind != Operand::Kind::storage || !operand.storage->is_ready()) return false;
  BackendMemory& memory = *operand.storage->memory();
  return operand.storage->dtype.is_builtin() && memory.host && memory.context == context &&
         !has_foreign_bools(*operand.storage) && is_free(memory);
}

/// Whether the result may be there: it was made for no other context.
bool may_be_in(const Node& node, const Ref<BackendContext>& context) {
  return !node.storage->context || node.storage->context == context;
}

/// All of a few dense elements to one value, if they need no cast. Needs graph_lock.
[[gnu::hot]] bool run_fold(const Node& node, const work::Reduce& work, BackendMemory& memory) {
  const Operand& operand = node.operands[0];
  const Layout& seen = operand.seen();
  const bool is_one = std::ranges::all_of(work.axes, [](bool is_reduced) { return is_reduced; });
  return is_one && operand.storage->dtype.id == work.type && is_row_major(seen) &&
         host::run_fold(work.reduction, work.type, memory.host, address_of(operand), seen.count());
}

/// Deeper or heavier graphs are worth a plan. A graph has no more nodes than its weight.
constexpr std::int32_t deepest = 8;
constexpr std::int64_t heaviest = 16;

/// Kernels without a plan, of nodes that stand on each other and on values that are there,
/// producers first. A kernel is rows and reads of one shape.
class Kernels {
 public:
  using Rows = std::span<Node* const>;

  explicit Kernels(const Ref<BackendContext>& context) : context(context) {}
  void add(Node* node) { nodes_[nodes_count_++] = node; }
  /// What is added from now on is of another kernel.
  void end_one() { ends_[count_++] = nodes_count_; }
  void clear() { nodes_count_ = count_ = 0; }
  std::size_t size() const { return count_; }
  Rows operator[](std::size_t k) const {
    const std::size_t begin = begin_of(k);
    return {nodes_ + begin, ends_[k] - begin};
  }
  Rows nodes() const { return {nodes_, nodes_count_}; }
  bool holds(const Node* node) const { return std::ranges::find(nodes(), node) != nodes().end(); }
  /// Whether it is in a kernel that has ended.
  bool has_ended(const Node* node) const {
    const Rows ended = nodes().first(begin_of(count_));
    return std::ranges::find(ended, node) != ended.end();
  }

  const Ref<BackendContext>& context;  ///< Of all that they read and write; null: the host's.

 private:
  std::size_t begin_of(std::size_t k) const { return k ? ends_[k - 1] : std::size_t{0}; }

  std::size_t nodes_count_ = 0, count_ = 0;
  std::size_t ends_[heaviest];
  Node* nodes_[heaviest];
};
using Rows = Kernels::Rows;

bool is_row(const Node& node) {
  return map_of(node) || std::holds_alternative<work::Read>(node.work);
}

/// Whether nothing that it reads is pending.
bool stands_alone(const Node& node, const Ref<BackendContext>& context) {
  if (!may_be_in(node, context)) return false;
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind != Operand::Kind::scalar && operand.kind != Operand::Kind::index &&
        !has_value(operand, context))
      return false;
  }
  return true;
}

/// Whether a value that is pending can be a row of one kernel with `consumer`, which reads it.
bool goes_with(const Storage& storage, const Operand& operand, const Node& consumer) {
  const Storage& result = *consumer.storage;
  return storage.device == result.device && storage.dtype.is_builtin() &&
         storage.layout.shape == result.layout.shape &&
         (!operand.layout || *operand.layout == storage.layout) && !storage.node()->sibling &&
         is_row(*storage.node());
}

/// Adds the node behind the rows that it stands on; false if they are no kernel for themselves.
/// Counts in Node::uses how often each is read. Needs graph_lock.
bool collect(Node& node, Kernels& kernels) {
  if (!may_be_in(node, kernels.context)) return false;
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind == Operand::Kind::scalar || operand.kind == Operand::Kind::index) continue;
    if (has_value(operand, kernels.context)) continue;
    if (operand.kind != Operand::Kind::storage) return false;
    const Storage& storage = *operand.storage;
    const bool is_base = i == 0 && !map_of(node);  // all of it is needed first
    if (is_base || storage.state() != Storage::State::pending || !goes_with(storage, operand, node))
      return false;
    Node& below = *storage.node();
    if (kernels.holds(&below)) {
      if (kernels.has_ended(&below)) return false;
      ++below.uses;
      continue;
    }
    below.uses = 1, below.effects = 0;
    if (!collect(below, kernels)) return false;
  }
  kernels.add(&node);
  return true;
}

/// A row and all that it is calculated of, as a kernel; false if that needs a plan.
bool add_kernel(Node& last, Kernels& kernels) {
  if (!collect(last, kernels)) return false;
  kernels.end_one();
  for (const Node* const node : kernels[kernels.size() - 1])
    if (node != &last && is_held(*node)) return false;  // a plan writes it out as well
  return true;
}

/// A kernel for each part.
bool add_parts(const Node& concat, Kernels& kernels) {
  for (int i = 0; i < concat.operand_count; ++i) {
    const Storage& part = *concat.operands[i].storage;
    if (part.state() != Storage::State::pending || !add_kernel(*part.node(), kernels)) return false;
  }
  return true;
}

/// Adds what a value is calculated of without a plan; nothing if it is to have one. Needs
/// graph_lock.
void find_kernels(Node& node, Kernels& kernels) {
  // a plan writes all results of a call at once
  if (node.sibling || node.depth > deepest || node.weight > heaviest || node.is_of_effect) return;
  if (is_row(node) ? !add_kernel(node, kernels) : !node.is_concat() || !add_parts(node, kernels))
    kernels.clear();
}

/// The type that the operation takes its operand in.
TypeId type_of_operand(const Node& node, const work::Map& work, int i) {
  const Operand& operand = node.operands[i];
  if (work.op == Op::astype)
    return operand.kind == Operand::Kind::scalar ? node.storage->dtype.id
                                                 : operand.storage->dtype.id;
  return operand_type(work.op, i, work.type);
}

/// The operation as one row, if its operands lie as its result does and need no cast.
[[gnu::hot]] bool run_row(const Storage& storage, const Node& node, const work::Map& work,
                          BackendMemory& memory, std::int64_t count) {
  alignas(16) char numbers[3][16];
  const void* operands[3] = {};
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind == Operand::Kind::index) return false;
    const TypeId want = type_of_operand(node, work, i);
    if (operand.kind == Operand::Kind::scalar) {
      if (work.op == Op::astype) {
        store(operand.scalar, want, numbers[i]);
        return host::fill(memory.host, numbers[i], storage.dtype.bytes(), count), true;
      }
      if (count != 1) return false;
      store(operand.scalar, want, numbers[i]);
      operands[i] = numbers[i];
      continue;
    }
    const Layout& seen = operand.seen();
    if (operand.storage->dtype.id != want) return false;
    if (count != 1 && seen.strides != storage.layout.strides) return false;
    operands[i] = address_of(operand);
  }
  const bool is_cast = work.op == Op::astype;
  const TypeId type = is_cast ? type_of_operand(node, work, 0) : work.type;
  if (is_cast && type == storage.dtype.id) return false;
  return host::run_row({work.op, type, storage.dtype.id, {}}, memory.host, operands, count);
}

}  // namespace

/// A kernel to a program and what it reads.
static void lower(Rows kernel, Program& program, Sources& sources) {
  TapeBuilder tape{program.map, sources, nullptr};
  for (Node* const node : kernel) {
    const auto value_of = [&](int i, TypeId type) {
      const Operand& operand = node->operands[i];
      const bool is_inside = operand.kind == Operand::Kind::storage && !operand.storage->is_ready();
      return is_inside ? operand.storage->node()->value : tape.leaf(operand, type);
    };
    const work::Map* const map = map_of(*node);
    node->value = map ? tape.row(*map, *node, value_of)
                      : tape.row(std::get<work::Read>(node->work), *node, value_of);
  }
  program.map.outputs.push_back(kernel.back()->value);
  tape.finish();
}

/// A kernel on its operands' memory, to where its last node lies in `memory`. The nodes are
/// running, so that nobody else touches them. Returns the steps it took.
static std::size_t run_program(Rows kernel, BackendMemory& memory) {
  const Storage& result = *kernel.back()->storage;
  Program program;
  Sources sources;
  lower(kernel, program, sources);
  const auto address = [](BackendMemory& base, std::int64_t offset, const Storage& storage) {
    return static_cast<char*>(base.host) + offset * storage.dtype.bytes();
  };
  SmallVector<Argument, 8> inputs(sources.size(), Argument());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    place(inputs[i], source, result.layout.shape.size());
    if (!source.storage) continue;
    inputs[i].address = address(*source.storage->memory(), inputs[i].offset, *source.storage);
    inputs[i].offset = 0;
  }
  Argument output;
  output.address = address(memory, result.layout.offset, result);
  output.strides = result.layout.strides;
  Dims shape = result.layout.shape;
  int kept = result.layout.ndim();
  const std::span<Argument> reads(inputs.begin(), inputs.size()), writes(&output, 1);
  if (kept > 1) simplify(program, shape, kept, reads, {}, writes);
  host::run(program, {std::move(shape), kept, reads, {}, writes});
  return program.map.steps.size();
}

static Names names_of(Rows kernel) {
  Names names;
  for (const Node* const node : kernel)
    names.push_back(node->ask([](const auto& work) { return work.name(); }));
  return names;
}

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
  if (node.sibling || count == 0 || count > few_elements) return false;
  const work::Map* const map = map_of(node);
  const work::Reduce* const fold = map ? nullptr : fold_of(node);
  if ((!map && !fold) || !stands_alone(node, memory.context)) return false;
  if (map ? !run_row(storage, node, *map, memory, count) : !run_fold(node, *fold, memory))
    return false;
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
    const bool is_done = row && run_row(result, last, *row, memory, count);
    steps += static_cast<std::int64_t>(is_done ? 1 : run_program(kernel, memory));
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
