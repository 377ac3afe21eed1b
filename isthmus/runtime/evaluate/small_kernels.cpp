// small_kernels.cpp: kernels of few nodes, found in the graph and run on the host.
#include "isthmus/runtime/evaluate/small_kernels.h"

#include "isthmus/codegen/lower/tape_builder.h"
#include "isthmus/host/host_executor.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/evaluate/alone.h"
#include "isthmus/runtime/submit/launch.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Whether the result may be there: it was made for no other context.
bool may_be_in(const Node& node, const Ref<BackendContext>& context) {
  return !node.storage->context || node.storage->context == context;
}

/// The steps of a user's function that is short, if they are known; else null.
const UserSteps* known_steps(const Node& node) {
  const auto* const call = std::get_if<work::Call>(&node.work);
  if (!call || !call->function->steps) return nullptr;
  const UserSteps& steps = *call->function->steps;
  return steps.steps.size() <= heaviest ? &steps : nullptr;
}

bool has_fp64(const Device& device) { return backend(device).traits(device.index()).has_fp64; }

bool is_row(const Node& node) {
  if (map_of(node) || std::holds_alternative<work::Read>(node.work)) return true;
  const UserSteps* const steps = known_steps(node);
  return steps && (!steps->has_fp64 || has_fp64(node.storage->device));
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
    // all of it is needed first
    const bool is_base = i == 0 && std::holds_alternative<work::Read>(node.work);
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

/// The type that the operation takes its operand in.
TypeId type_of_operand(const Node& node, const work::Map& work, int i) {
  const Operand& operand = node.operands[i];
  if (work.op == Op::astype)
    return operand.kind == Operand::Kind::scalar ? node.storage->dtype.id
                                                 : operand.storage->dtype.id;
  return operand_type(work.op, i, work.type);
}

/// A kernel to a program and what it reads.
void lower(Rows kernel, Program& program, Sources& sources) {
  TapeBuilder tape{program.map, sources, nullptr};
  for (Node* const node : kernel) {
    const auto value_of = [&](int i, TypeId type) {
      const Operand& operand = node->operands[i];
      const bool is_inside = operand.kind == Operand::Kind::storage && !operand.storage->is_ready();
      return is_inside ? operand.storage->node()->value : tape.leaf(operand, type);
    };
    if (const work::Map* const map = map_of(*node))
      node->value = tape.row(*map, *node, value_of);
    else if (const auto* const call = std::get_if<work::Call>(&node->work))
      node->value = tape.row(*call, *node, value_of);
    else
      node->value = tape.row(std::get<work::Read>(node->work), *node, value_of);
  }
  program.map.outputs.push_back(kernel.back()->value);
  tape.finish();
}

}  // namespace

std::int64_t steps_of(Rows kernel) {
  std::int64_t count = 0;
  for (const Node* const node : kernel) {
    const UserSteps* const its = known_steps(*node);
    count += its ? static_cast<std::int64_t>(its->steps.size()) : 1;
  }
  return count;
}

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

void find_kernels(Node& node, Kernels& kernels) {
  // a plan writes all results of a call at once
  if (node.sibling || node.depth > deepest || node.weight > heaviest || node.is_of_effect) return;
  if (is_row(node) ? !add_kernel(node, kernels) : !node.is_concat() || !add_parts(node, kernels))
    kernels.clear();
}

[[gnu::hot]] bool run_row(const Node& node, const work::Map& work, void* to, std::int64_t count) {
  const Storage& storage = *node.storage;
  alignas(16) char numbers[3][16];
  const void* operands[3] = {};
  for (int i = 0; i < node.operand_count; ++i) {
    const Operand& operand = node.operands[i];
    if (operand.kind == Operand::Kind::index) return false;
    const TypeId want = type_of_operand(node, work, i);
    if (operand.kind == Operand::Kind::scalar) {
      if (work.op == Op::astype) {
        store(operand.scalar, want, numbers[i]);
        return host::fill(to, numbers[i], storage.dtype.bytes(), count), true;
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
  return host::run_row({work.op, type, storage.dtype.id, {}}, to, operands, count);
}

std::int64_t run_program(Rows kernel, char* to, const Dims& strides) {
  const Storage& result = *kernel.back()->storage;
  Program program;
  Sources sources;
  lower(kernel, program, sources);
  SmallVector<Argument, 8> inputs(sources.size(), Argument());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Source& source = sources[i];
    place(inputs[i], source, result.layout.shape.size());
    if (!source.storage) continue;
    inputs[i].address = static_cast<char*>(source.storage->memory()->host) +
                        inputs[i].offset * source.storage->dtype.bytes();
    inputs[i].offset = 0;
  }
  Argument output;
  output.address = to;
  output.strides = strides;
  Dims shape = result.layout.shape;
  int kept = result.layout.ndim();
  const std::span<Argument> reads(inputs.begin(), inputs.size()), writes(&output, 1);
  if (kept > 1) simplify(program, shape, kept, reads, {}, writes);
  host::run(program, {std::move(shape), kept, reads, {}, writes});
  auto steps = static_cast<std::int64_t>(program.map.steps.size());
  for (const Node* const node : kernel)
    if (const UserSteps* const its = known_steps(*node))
      steps += 1 - static_cast<std::int64_t>(its->steps.size());
  return std::max<std::int64_t>(steps, 0);
}

Names names_of(Rows kernel) {
  Names names;
  for (const Node* const node : kernel)
    names.push_back(node->ask([](const auto& work) { return work.name(); }));
  return names;
}

}  // namespace isthmus::inline ISTHMUS_ABI
