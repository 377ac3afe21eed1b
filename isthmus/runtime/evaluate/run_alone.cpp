// run_alone.cpp: the short ways for one small operation, or one small write, on the host, with
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

/// Whether the operands are there, for the host alone, to be read at the positions of the result.
/// Needs graph_lock.
bool has_values(const Node& node) {
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind == Operand::Kind::scalar) continue;
    if (operand.kind != Operand::Kind::storage || !operand.storage->is_ready()) return false;
    BackendMemory& memory = *operand.storage->memory();
    if (!operand.storage->dtype.is_builtin() || !memory.host ||
        has_foreign_bools(*operand.storage) || !is_at_rest(memory))
      return false;
  }
  return true;
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

/// The operation on its operands' memory; the node is running, so that nobody else touches it.
/// Returns the steps it took.
static std::size_t run(const Storage& storage, const Node& node, const work::Map& work,
                       BackendMemory& memory, std::int64_t count) {
  if (run_row(storage, node, work, memory, count)) return 1;
  Program program;
  Sources sources;
  TapeBuilder tape{program.map, sources, nullptr};
  const auto leaf = [&](int i, TypeId type) { return tape.leaf(node.operands[i], type); };
  program.map.outputs.push_back(tape.row(work, node, leaf));
  tape.finish();
  Argument inputs[3], output;
  Dims shape = storage.layout.shape;
  int kept = storage.layout.ndim();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    inputs[i].scalar = source.scalar;
    if (!source.storage) continue;
    inputs[i].address = static_cast<char*>(source.storage->memory()->host) +
                        source.layout.offset * source.storage->dtype.bytes();
    inputs[i].strides = source.layout.strides;
  }
  output.address = memory.host;
  output.strides = storage.layout.strides;
  const std::span<Argument> reads(inputs, sources.size()), writes(&output, 1);
  if (kept > 1) simplify(program, shape, kept, reads, {}, writes);
  host::run(program, {std::move(shape), kept, reads, {}, writes});
  return program.map.steps.size();
}

static Names name_of(const Node& node) {
  Names names;
  names.push_back(node.ask([](const auto& work) { return work.name(); }));
  return names;
}

static Failure failure_of(const Storage& storage, const Node& node) noexcept {
  return current_failure(
      [&] { return format("{} of shape {}", list_of(name_of(node)), storage.layout.shape); });
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
  const bool is_pending = storage.state() == Storage::State::pending;
  // a plan writes all results of a call at once
  const bool is_only = is_pending && !storage.node()->sibling;
  const work::Map* const map = is_only ? map_of(*storage.node()) : nullptr;
  const work::Reduce* const fold = is_only && !map ? fold_of(*storage.node()) : nullptr;
  if ((!map && !fold) || !has_values(*storage.node()) ||
      (fold && !run_fold(*storage.node(), *fold, *memory))) {
    lock.unlock();
    return false;
  }
  storage.start();
  if (count > few_elements) lock.unlock();
  const Node& node = *storage.node();
  std::size_t steps = 0;
  if (count && map) try {
      steps = run(storage, node, *map, *memory, count);
    } catch (const std::exception&) {
      failure = failure_of(storage, node);
    }
  if (begin && count && !failure)
    note_alone({0,
                name_of(node),
                fold ? node.operands[0].seen().shape : storage.layout.shape,
                storage.device,
                KernelRecord::Where::host,
                {begin, now_in_nanoseconds()},
                nullptr});
  if (count > few_elements) lock.lock();
  if (count && !failure) count_kernel(static_cast<std::int64_t>(steps), false);
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
