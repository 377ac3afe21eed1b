// run_alone.cpp: the short ways for a few small operations, or one small write, on the host, with
// values that are there.
//
// They do what a plan of one kernel would do, without the plan: on a few elements planning would
// cost several times the work.
#include <algorithm>
#include <cstring>

#include "isthmus/codegen/lower/tape_builder.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/evaluate/failure.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/counting.h"
#include "isthmus/runtime/observe/records.h"
#include "isthmus/runtime/submit/launch.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

/// More elements than this are worth a plan, and the threads and the lock handed over with it.
constexpr std::int64_t most_elements = 8192;

/// Up to here the work is done before another thread could have taken the lock.
constexpr std::int64_t few_elements = 64;

/// The work, if it is a row that is done alone; else null.
const work::Map* map_of(const Node& node) { return std::get_if<work::Map>(&node.work); }
const work::Reduce* fold_of(const Node& node) {
  const auto* const fold = std::get_if<work::Reduce>(&node.work);
  return fold && !fold->function ? fold : nullptr;
}

/// Whether the operand is there, for the host alone. Needs graph_lock.
bool has_value(const Operand& operand) {
  if (operand.kind != Operand::Kind::storage || !operand.storage->is_ready()) return false;
  BackendMemory& memory = *operand.storage->memory();
  return operand.storage->dtype.is_builtin() && memory.host &&
         !has_foreign_bools(*operand.storage) && is_at_rest(memory);
}

/// Deeper or heavier graphs are worth a plan. A graph has no more nodes than its weight.
constexpr std::int32_t deepest = 8;
constexpr std::int64_t heaviest = 16;

/// Rows of one shape that stand on each other and on values that are there, producers first; or a
/// reduction of such a value.
class Rows {
 public:
  void push_back(Node* node) { nodes_[count_++] = node; }
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  Node* const* begin() const { return nodes_; }
  Node* const* end() const { return nodes_ + count_; }
  Node& last() const { return *nodes_[count_ - 1]; }

 private:
  std::size_t count_ = 0;
  Node* nodes_[heaviest];
};

/// Whether a value that is pending can be a row of one kernel with `consumer`, which reads it.
bool goes_with(const Storage& storage, const Operand& operand, const Node& consumer) {
  const Storage& result = *consumer.storage;
  return storage.device == result.device && storage.dtype.is_builtin() &&
         storage.layout.shape == result.layout.shape &&
         (!operand.layout || *operand.layout == storage.layout) && !storage.node()->sibling &&
         map_of(*storage.node());
}

/// Appends the node behind the rows that it stands on; false if they are no kernel for themselves.
/// Counts in Node::uses how often each is read. Needs graph_lock.
bool collect(Node& node, Rows& rows) {
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind == Operand::Kind::scalar || operand.kind == Operand::Kind::index) continue;
    if (has_value(operand)) continue;
    if (operand.kind != Operand::Kind::storage) return false;
    const Storage& storage = *operand.storage;
    if (storage.state() != Storage::State::pending || !goes_with(storage, operand, node))
      return false;
    Node& below = *storage.node();
    if (std::ranges::find(rows, &below) != rows.end()) {
      ++below.uses;
      continue;
    }
    below.uses = 1, below.effects = 0;
    if (!collect(below, rows)) return false;
  }
  rows.push_back(&node);
  return true;
}

/// All that a map is calculated of, the map last; nothing if it needs a plan. Needs graph_lock.
void find_rows(Node& root, Rows& rows) {
  if (root.depth > deepest || root.weight > heaviest || root.is_of_effect || !collect(root, rows))
    return rows.clear();
  for (const Node* const node : rows)
    if (node != &root && is_held(*node)) return rows.clear();  // a plan writes it out as well
}

const void* address_of(const Operand& operand) {
  return static_cast<const char*>(operand.storage->memory()->host) +
         operand.seen().offset * operand.storage->dtype.bytes();
}

/// All of a few dense elements to one value, if they need no cast. Needs graph_lock.
bool run_fold(const Node& node, const work::Reduce& work, BackendMemory& memory) {
  const Operand& operand = node.operands[0];
  const Layout& seen = operand.seen();
  const bool is_one = std::ranges::all_of(work.axes, [](bool is_reduced) { return is_reduced; });
  return is_one && operand.storage->dtype.id == work.type && is_row_major(seen) &&
         host::run_fold(work.reduction, work.type, memory.host, address_of(operand), seen.count());
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
bool run_row(const Storage& storage, const Node& node, const work::Map& work, BackendMemory& memory,
             std::int64_t count) {
  alignas(16) char numbers[3][16];
  const void* operands[3] = {};
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    const TypeId want = type_of_operand(node, work, i);
    if (operand.kind == Operand::Kind::scalar) {
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

/// Rows to one program and what it reads.
static void lower(const Rows& rows, Program& program, Sources& sources) {
  TapeBuilder tape{program.map, sources, nullptr};
  for (Node* const node : rows)
    node->value = tape.row(*map_of(*node), *node, [&](int i, TypeId type) {
      const Operand& operand = node->operands[i];
      const bool is_row = operand.kind == Operand::Kind::storage && !operand.storage->is_ready();
      return is_row ? operand.storage->node()->value : tape.leaf(operand, type);
    });
  program.map.outputs.push_back(rows.last().value);
  tape.finish();
}

/// The operations on their operands' memory; the nodes are running, so that nobody else touches
/// them. Returns the steps they took.
static std::size_t run_program(const Storage& storage, const Rows& rows, BackendMemory& memory) {
  Program program;
  Sources sources;
  lower(rows, program, sources);
  SmallVector<Argument, 8> inputs(sources.size(), Argument());
  Argument output;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    place(inputs[i], source, storage.layout.shape.size());
    if (!source.storage) continue;
    inputs[i].address = static_cast<char*>(source.storage->memory()->host) +
                        inputs[i].offset * source.storage->dtype.bytes();
    inputs[i].offset = 0;
  }
  Dims shape = storage.layout.shape;
  int kept = storage.layout.ndim();
  output.address = memory.host;
  output.strides = storage.layout.strides;
  const std::span<Argument> reads(inputs.begin(), inputs.size()), writes(&output, 1);
  if (kept > 1) simplify(program, shape, kept, reads, {}, writes);
  host::run(program, {std::move(shape), kept, reads, {}, writes});
  return program.map.steps.size();
}

static Names names_of(const Rows& rows) {
  Names names;
  for (const Node* const node : rows)
    names.push_back(node->ask([](const auto& work) { return work.name(); }));
  return names;
}

static Failure failure_of(const Storage& storage, const Rows& rows) noexcept {
  return current_failure(
      [&] { return format("{} of shape {}", list_of(names_of(rows)), storage.layout.shape); });
}

/// Finds what is calculated without a plan; nothing if it is to have one. Needs graph_lock.
static void begin_alone(Storage& storage, BackendMemory& memory, Rows& rows) {
  // a plan writes all results of a call at once
  if (storage.state() != Storage::State::pending || storage.node()->sibling) return;
  Node& node = *storage.node();
  if (map_of(node)) return find_rows(node, rows);
  const work::Reduce* const fold = fold_of(node);
  if (fold && has_value(node.operands[0]) && run_fold(node, *fold, memory)) rows.push_back(&node);
}

[[gnu::hot]] bool run_alone(Storage& storage) {
  const std::int64_t count = storage.layout.count();
  if (!storage.device.is_host() || !storage.dtype.is_builtin() || count > most_elements)
    return false;
  const std::int64_t begin = profiled_now();
  // before the lock, which must not be held while a block is asked for
  Ref<BackendMemory> memory;
  Failure failure;
  try {
    memory = allocate(storage.device, static_cast<std::size_t>(count * storage.dtype.bytes()));
  } catch (const Error&) {
    return false;  // the plan will say what it was
  }
  std::unique_lock lock(graph_lock());
  Rows rows;
  begin_alone(storage, *memory, rows);
  if (rows.empty()) {
    lock.unlock();
    return false;
  }
  // values inside are running, too: who asks for one must wait
  for (const Node* const node : rows) node->storage->start();
  if (count > few_elements) lock.unlock();
  const Node& node = rows.last();
  const bool is_fold = !map_of(node);
  std::size_t steps = 0;
  if (count && !is_fold) try {
      const work::Map& map = *map_of(node);
      const bool is_row = rows.size() == 1 && run_row(storage, node, map, *memory, count);
      steps = is_row ? 1 : run_program(storage, rows, *memory);
    } catch (const std::exception&) {
      failure = failure_of(storage, rows);
    }
  if (begin && count && !failure)
    note_alone({0,
                names_of(rows),
                is_fold ? node.operands[0].seen().shape : storage.layout.shape,
                storage.device,
                KernelRecord::Where::host,
                {begin, now_in_nanoseconds()},
                nullptr});
  if (count > few_elements) lock.lock();
  if (count && !failure) count_kernel(static_cast<std::int64_t>(steps), false);
  for (const Node* const inside : rows) inside->storage->restart();
  const std::unique_ptr<Node> done =
      failure ? storage.finish(std::move(failure)) : storage.finish(std::move(memory));
  lock.unlock();
  return true;
}

/// The one element of an operand, as it lies in memory; null if it is not there. Needs graph_lock.
static const void* only_element(const Operand& operand, DType dtype) {
  const bool is_there = operand.kind == Operand::Kind::storage && operand.storage->is_ready() &&
                        operand.storage->dtype == dtype && !has_foreign_bools(*operand.storage) &&
                        operand.storage->memory()->host && is_at_rest(*operand.storage->memory());
  return is_there ? address_of(operand) : nullptr;
}

/// Writes `bytes` from `from` to each element of a layout from an axis on.
static void put_to_each(char* at, const Layout& target, int axis, const void* from,
                        std::size_t bytes) {
  if (axis == target.ndim()) {
    std::memmove(at, from, bytes);
    return;
  }
  const auto k = static_cast<std::size_t>(axis);
  for (std::int64_t i = 0; i < target.shape[k]; ++i)
    put_to_each(at + i * target.strides[k] * static_cast<std::int64_t>(bytes), target, axis + 1,
                from, bytes);
}

bool write_alone(const Storage& storage, const Layout& target, const Operand& value) {
  const std::int64_t count = target.count();
  if (!storage.device.is_host() || !storage.dtype.is_builtin() || count > few_elements)
    return false;
  if (value.kind != Operand::Kind::scalar && count != 1) return false;
  const std::int64_t begin = profiled_now();
  const auto bytes = static_cast<std::size_t>(storage.dtype.bytes());
  alignas(16) char number[16];
  if (value.kind == Operand::Kind::scalar) store(value.scalar, storage.dtype, number);
  const std::lock_guard lock(graph_lock());
  if (!storage.is_ready()) return false;
  BackendMemory& memory = *storage.memory();
  if (!memory.host || !is_at_rest(memory) || memory.is_read_only || memory.activity().readers)
    return false;
  const bool is_number = value.kind == Operand::Kind::scalar;
  const void* const from = is_number ? number : only_element(value, storage.dtype);
  if (!from) return false;
  if (!count) return true;
  char* const start = static_cast<char*>(memory.host) + target.offset * storage.dtype.bytes();
  put_to_each(start, target, 0, from, bytes);
  if (begin) {
    Names names;  // none: a copy, as profiles have it
    if (is_number) names.push_back("fill");
    note_alone({0,
                std::move(names),
                target.shape,
                storage.device,
                KernelRecord::Where::host,
                {begin, now_in_nanoseconds()},
                nullptr});
  }
  count_kernel(1, false);
  return true;
}

}  // namespace isthmus::inline ISTHMUS_ABI
