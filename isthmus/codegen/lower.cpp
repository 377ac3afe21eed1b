// lower.cpp: a group of nodes to a program.
#include "isthmus/codegen/lower.h"

#include <algorithm>

#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The axes that are kept, then the others, each in their order.
static SmallVector<int, 8> kept_first(const work::Axes& along, int& kept) {
  SmallVector<int, 8> axes;
  for (std::size_t i = 0; i < along.size(); ++i)
    if (!along[i]) axes.push_back(static_cast<int>(i));
  kept = static_cast<int>(axes.size());
  for (std::size_t i = 0; i < along.size(); ++i)
    if (along[i]) axes.push_back(static_cast<int>(i));
  return axes;
}

Lowering::Lowering(const Group& group, Lowered& result) : group_(group), result_(result) {
  if (const Node* const node = group.along) {
    axes_ = kept_first(*node->ask([](const auto& work) { return work.along(); }), result.kept);
    result.shape = permute(node->operands[0].seen(), {axes_.begin(), axes_.end()}).shape;
    for (const Node* each : group.nodes)
      if (each->ask([](const auto& work) { return work.along() != nullptr; }))
        program_.epilogue.inputs.push_back({Input::Kind::result, type_of(*each)});
    program_.accumulator = program_.epilogue.inputs[0].type;
  } else {
    result.shape = *group.shape;
    result.kept = static_cast<int>(result.shape.size());
  }
}

void Lowering::run() {
  std::size_t operands = 0;
  for (const Node* node : group_.nodes) operands += static_cast<std::size_t>(node->operand_count);
  // those that stand beside others are nobody's operand
  if (operands >= group_.nodes.size()) result_.inputs.reserve(operands - (group_.nodes.size() - 1));
  for (Node* node : group_.nodes) {
    node->value = node->ask([&](const auto& work) { return add(work, *node); });
    if (node == group_.nodes.back() || node->is_beside || is_held(*node)) add_output(*node);
  }
  map_.finish();
  epilogue_.finish();
  const Storage& last = *group_.nodes.back()->storage;
  if (!last.dtype.is_builtin() && !program_.calls_users())
    program_.record_bytes = last.dtype.bytes();
  result_.context = last.context;
}

/// What gives an operand in the same kernel; null: nothing does.
static const Node* inside(const Node& node, const Operand& operand) {
  const Node* below = operand.kind == Operand::Kind::storage ? operand.storage->node() : nullptr;
  const bool is_inside = below && operand.storage->state() == Storage::State::pending &&
                         below->visit == node.visit && below->group == node.group;
  return is_inside ? below : nullptr;
}

std::uint16_t Lowering::value_of(TapeBuilder& tape, const Node& node, int i, TypeId scalar_type) {
  const Operand& operand = node.operands[i];
  const Node* const below = inside(node, operand);
  if (below) return below->value;
  const bool is_position = operand.kind == Operand::Kind::index && !operand.layout;
  if (!is_position || node.storage->layout.shape == *tape.shape)
    return tape.leaf(operand, scalar_type);
  Operand number;
  number.kind = Operand::Kind::index;
  number.layout = read_layout(node, i);
  return tape.cast(tape.leaf(number, scalar_type), TypeId::int64);
}

TypeId Lowering::type_in(const UserFunction& function, DType type) {
  if (type.is_builtin()) return type.id;
  const auto is_it = [&](const UserStruct& one) { return one.dtype == type; };
  const auto known = std::ranges::find_if(program_.structs, is_it);
  const auto place = static_cast<std::size_t>(known - program_.structs.begin());
  if (known == program_.structs.end())
    program_.structs.push_back(*std::ranges::find_if(function.structs, is_it));
  return struct_type(place);
}

TypeId Lowering::type_of(const Node& node) {
  const UserFunction* const function = node.ask([](const auto& work) { return work.user(); });
  const DType type = node.storage->dtype;
  return function ? type_in(*function, type) : type.id;
}

std::uint16_t Lowering::users_value_of(TapeBuilder& tape, const Node& node, int i,
                                       const UserFunction& function, DType type) {
  if (type.is_builtin()) return cast_value_of(tape, node, i, type.id);
  const Operand& operand = node.operands[i];
  const Node* const below = inside(node, operand);
  return below ? below->value : tape.element(operand, type_in(function, type));
}

std::uint16_t Lowering::add_along(KernelShape shape, std::uint16_t value) {
  program_.shape = shape;
  program_.map.outputs.push_back(value);
  return static_cast<std::uint16_t>(program_.map.outputs.size() - 1);  // the epilogue's input
}

std::uint16_t Lowering::add_combination(KernelShape shape, const work::Combination& work,
                                        const Node& node) {
  if (program_.map.outputs.empty()) {
    program_.reduction = work.reduction;
    program_.combine = work.function;
  } else {
    program_.beside.push_back({work.reduction, node.storage->dtype.id});
  }
  const std::uint16_t value =
      work.function ? users_value_of(map_, node, 0, *work.user(), work.function->result)
                    : cast_value_of(map_, node, 0, work.type);
  return add_along(shape, value);
}

void Lowering::add_output(const Node& node) {
  Tape& tape = group_.along ? program_.epilogue : program_.map;
  tape.outputs.push_back(node.value);
  if (position_) tape.outputs.push_back(*position_);
  const Layout layout = in_loop(node.storage->layout, *group_.shape);
  result_.outputs.emplace_back(
      Ref<Storage>::share(node.storage),
      program_.gives_all_axes() ? permute(layout, {axes_.begin(), axes_.end()}) : layout);
}

void lower(const Group& group, Lowered& result) {
  const Node& last = *group.nodes.back();
  if (last.is_concat()) return lower_concat(last, result);
  Lowering(group, result).run();
  note_concat_of(last, result);
}

void place(Argument& argument, const Source& source, std::size_t axes) {
  argument.scalar = source.scalar;
  argument.offset = source.layout.offset;
  argument.strides = source.layout.strides;
  if (source.is_base) argument.strides = Dims(axes, 0);
}

}  // namespace isthmus::inline ISTHMUS_ABI
