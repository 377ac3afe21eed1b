// lower.cpp: nodes to tapes.
#include "isthmus/codegen/lower.h"

#include "isthmus/graph/concat.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// While a tape grows, a step's value has this bit, since the inputs before it are not all known.
constexpr std::uint16_t step_bit = 0x8000;

struct TapeBuilder {
  Tape& tape;
  Sources& sources;
  const SmallVector<int, 8>*
      axes;  ///< Loop axis k is axis (*axes)[k] of the arrays; null: the same.

  TypeId type_of(std::uint16_t value) const {
    return value & step_bit ? tape.steps[value & ~step_bit].result : tape.inputs[value].type;
  }

  std::uint16_t add(Input input, const auto&... source) {
    tape.inputs.push_back(input);
    sources.emplace_back(source...);
    return static_cast<std::uint16_t>(tape.inputs.size() - 1);
  }

  /// The known one, if it reads the same.
  std::uint16_t find_or_add(Input input, const Ref<Storage>& storage, const Layout& layout) {
    const std::size_t unnumbered = tape.inputs.size() - sources.size();  // an epilogue's result
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i].storage == storage && tape.inputs[unnumbered + i] == input &&
          sources[i].layout == layout)
        return static_cast<std::uint16_t>(unnumbered + i);
    return add(input, storage, layout);
  }

  std::uint16_t step(const Step& step) {
    for (std::size_t i = 0; i < tape.steps.size(); ++i)
      if (step.op == Op::astype && tape.steps[i] == step)
        return static_cast<std::uint16_t>(i | step_bit);
    tape.steps.push_back(step);
    return static_cast<std::uint16_t>((tape.steps.size() - 1) | step_bit);
  }

  std::uint16_t cast(std::uint16_t value, TypeId type) {
    const TypeId from = type_of(value);
    if (from == type) return value;
    return step({Op::astype, from, type, {value, 0, 0}});
  }

  std::uint16_t leaf(const Operand& operand, TypeId scalar_type) {
    using Kind = Operand::Kind;
    if (operand.kind == Kind::scalar)
      return add({Input::Kind::scalar, scalar_type}, operand.scalar);
    if (operand.kind == Kind::index && operand.layout) {
      const Layout& seen = *operand.layout;
      const Layout layout = axes ? permute(seen, {axes->begin(), axes->end()}) : seen;
      return find_or_add({Input::Kind::number, TypeId::uint64}, nullptr, layout);
    }
    if (operand.kind == Kind::index) {
      std::uint8_t axis = operand.axis;
      if (axes)
        for (std::size_t k = 0; k < axes->size(); ++k)
          if ((*axes)[k] == operand.axis) axis = static_cast<std::uint8_t>(k);
      return find_or_add({Input::Kind::index, TypeId::int64, axis}, nullptr, {});
    }
    const Storage& storage = *operand.storage;
    if (has_foreign_bools(storage))  // any byte but 0 is true
      return cast(element(operand, TypeId::uint8), TypeId::bool_);
    return element(operand, storage.dtype.is_builtin() ? storage.dtype.id : TypeId::uint8);
  }

  /// What steps read at any position.
  std::uint16_t base(const Operand& operand, TypeId type) {
    const std::size_t unnumbered = tape.inputs.size() - sources.size();
    const auto value = find_or_add({Input::Kind::base, type}, operand.storage, operand.seen());
    sources[value - unnumbered].is_base = true;
    return value;
  }

  std::uint16_t element(const Operand& operand, TypeId type) {
    const Input input{Input::Kind::memory, type};
    const Layout& seen = operand.seen();
    if (!axes) return find_or_add(input, operand.storage, seen);
    return find_or_add(input, operand.storage, permute(seen, {axes->begin(), axes->end()}));
  }

  /// Gives steps their final numbers.
  void finish() {
    const auto inputs = static_cast<std::uint16_t>(tape.inputs.size());
    const auto renumber = [&](std::uint16_t& value) {
      if (value & step_bit) value = static_cast<std::uint16_t>((value & ~step_bit) + inputs);
    };
    for (Step& step : tape.steps)
      for (std::uint16_t& operand : step.operands) renumber(operand);
    for (UserCall& call : tape.calls)
      for (std::uint16_t& operand : call.operands) renumber(operand);
    for (std::uint16_t& output : tape.outputs) renumber(output);
  }
};

/// Axes of a reduction's operand: kept ones, then reduced ones, each in their order.
SmallVector<int, 8> axes_of(const Node& reduce, int& kept) {
  SmallVector<int, 8> axes;
  for (std::size_t i = 0; i < reduce.reduced.size(); ++i)
    if (!reduce.reduced[i]) axes.push_back(static_cast<int>(i));
  kept = static_cast<int>(axes.size());
  for (std::size_t i = 0; i < reduce.reduced.size(); ++i)
    if (reduce.reduced[i]) axes.push_back(static_cast<int>(i));
  return axes;
}

class Lowering {
 public:
  Lowering(const Group& group, Lowered& result) : group_(group), result_(result) {
    if (group.reduce) {
      axes_ = axes_of(*group.reduce, result_.kept);
      const Operand& operand = group.reduce->operands[0];
      const Layout& seen = operand.seen();
      result_.shape = permute(seen, {axes_.begin(), axes_.end()}).shape;
      const TypeId type = group.reduce->storage->dtype.id;
      result_.program.shape = group.reduce->shape;
      result_.program.reduction = group.reduce->reduction;
      result_.program.sorting = group.reduce->sorting;
      result_.program.combine = group.reduce->function;
      result_.program.accumulator = type;
      result_.program.epilogue.inputs.push_back({Input::Kind::result, type});
    } else {
      result_.shape = group.nodes.back()->storage->layout.shape;
      result_.kept = static_cast<int>(result_.shape.size());
    }
  }

  void run() {
    std::size_t operands = 0;
    for (const Node* node : group_.nodes) operands += node->operand_count;
    result_.inputs.reserve(operands - (group_.nodes.size() - 1));
    for (Node* node : group_.nodes) {
      node == group_.reduce ? add_reduction(*node) : add_map(*node);
      const bool is_held = static_cast<std::int32_t>(node->storage->references()) > node->uses;
      if (node == group_.nodes.back() || is_held) add_output(*node);
    }
    map_.finish();
    epilogue_.finish();
    const Storage& last = *group_.nodes.back()->storage;
    if (!last.dtype.is_builtin()) result_.program.record_bytes = last.dtype.bytes();
    result_.context = last.context;
  }

 private:
  TapeBuilder& tape_of(const Node& node) {
    return group_.reduce && !node.is_early ? epilogue_ : map_;
  }

  std::uint16_t value_of(TapeBuilder& tape, const Node& node, const Operand& operand, TypeId want) {
    const Node* below = operand.kind == Operand::Kind::storage ? operand.storage->node() : nullptr;
    const bool is_inside = below && operand.storage->state() == Storage::State::pending &&
                           below->visit == node.visit && below->group == node.group;
    return is_inside ? below->value : tape.leaf(operand, want);
  }

  void add_map(Node& node) {
    TapeBuilder& tape = tape_of(node);
    Step step{node.op, node.type, node.type, {}};
    if (node.op == Op::astype) {
      const std::uint16_t value = value_of(tape, node, node.operands[0], node.type);
      const DType dtype = node.storage->dtype;
      node.value = dtype.is_builtin() ? tape.cast(value, dtype.id) : value;
      return;
    }
    step.result = node.storage->dtype.id;
    if (reads_by_position(node.op)) return add_read(tape, node, step);
    if (node.op == Op::store) return add_store(tape, node);
    if (node.op == Op::user) return add_call(tape, node);
    for (int i = 0; i < node.operand_count; ++i) {
      const TypeId want = operand_type(node.op, i, node.type);
      step.operands[i] = tape.cast(value_of(tape, node, node.operands[i], want), want);
    }
    node.value = tape.step(step);
  }

  void add_read(TapeBuilder& tape, Node& node, Step step) {
    const bool is_load = node.op == Op::load;
    const bool has_any_bytes = is_load && has_foreign_bools(*node.operands[0].storage);
    if (has_any_bytes) step.type = step.result = TypeId::uint8;
    step.operands[0] = tape.base(node.operands[0], step.type);
    for (int i = 1; i < node.operand_count; ++i) {
      const TypeId want = is_load || i == 2 ? TypeId::int64 : node.type;
      step.operands[i] = tape.cast(value_of(tape, node, node.operands[i], want), want);
    }
    node.value = tape.step(step);
    if (has_any_bytes) node.value = tape.cast(node.value, TypeId::bool_);
  }

  void add_call(TapeBuilder& tape, Node& node) {
    UserCall call{node.function, {}};
    for (std::uint8_t i = 0; i < node.operand_count; ++i) {
      const UserFunction::Parameter& parameter = node.function->parameters[i];
      const TypeId type = parameter.type;
      const Operand& operand = node.operands[i];
      call.operands.push_back(parameter.is_raw
                                  ? tape.base(operand, type)
                                  : tape.cast(value_of(tape, node, operand, type), type));
    }
    const auto number = static_cast<std::uint16_t>(tape.tape.calls.size());
    tape.tape.calls.push_back(std::move(call));
    const TypeId result = node.function->result;
    node.value = tape.step({Op::user, result, result, {number, 0, 0}});
  }

  void add_store(TapeBuilder& tape, Node& node) {
    const auto operand = [&](int i, TypeId want) {
      return tape.cast(value_of(tape, node, node.operands[i], want), want);
    };
    node.value = operand(0, node.type);
    position_ = operand(1, TypeId::int64);
    result_.program.store = node.is_unique ? Store::any_order : Store::in_order;
  }

  void add_reduction(Node& node) {
    const std::uint16_t value = value_of(map_, node, node.operands[0], node.type);
    const bool is_sort = node.shape == WorkShape::sort;
    result_.program.map.outputs.push_back(is_sort ? value : map_.cast(value, node.type));
    node.value = 0;  // the epilogue's first input
  }

  void add_output(const Node& node) {
    Tape& tape = group_.reduce ? result_.program.epilogue : result_.program.map;
    tape.outputs.push_back(node.value);
    if (node.op == Op::store) tape.outputs.push_back(position_);
    const Layout& layout = node.storage->layout;
    result_.outputs.emplace_back(
        Ref<Storage>::share(node.storage),
        result_.program.gives_all_axes() ? permute(layout, {axes_.begin(), axes_.end()}) : layout);
  }

  const Group& group_;
  Lowered& result_;
  SmallVector<int, 8> axes_;
  std::uint16_t position_ = 0;  ///< Of a store.
  TapeBuilder map_{result_.program.map, result_.inputs, group_.reduce ? &axes_ : nullptr};
  TapeBuilder epilogue_{result_.program.epilogue, result_.epilogue_inputs, nullptr};
};

/// All strides of one loop axis, across operands.
struct Operands {
  std::span<Argument> inputs, epilogue_inputs, outputs;

  template <class F>
  bool all_of(bool is_kept, F f) const {
    for (Argument& a : inputs)
      if (!a.strides.empty() && !f(a.strides)) return false;
    if (!is_kept) return true;
    for (Argument& a : epilogue_inputs)
      if (!a.strides.empty() && !f(a.strides)) return false;
    for (Argument& a : outputs)
      if (!f(a.strides)) return false;
    return true;
  }

  void erase(std::size_t axis, bool is_kept) {
    for (Argument& a : inputs)
      if (!a.strides.empty()) a.strides.erase(axis);
    if (!is_kept) return;
    for (Argument& a : epilogue_inputs)
      if (!a.strides.empty()) a.strides.erase(axis);
    for (Argument& a : outputs) a.strides.erase(axis);
  }

  void swap(std::size_t i, std::size_t j) {
    for (Argument& a : inputs)
      if (!a.strides.empty()) std::swap(a.strides[i], a.strides[j]);
    for (Argument& a : epilogue_inputs)
      if (!a.strides.empty()) std::swap(a.strides[i], a.strides[j]);
    for (Argument& a : outputs) std::swap(a.strides[i], a.strides[j]);
  }
};

}  // namespace

/// The parts as inputs, for their errors, and the memory of those that are there already, if any:
/// an interrupt may have come between two parts.
static void lower_concat(const Node& node, Lowered& result) {
  result.is_concat = true;
  for (int i = 0; i < node.operand_count; ++i) {
    const Ref<Storage>& part = node.operands[i].storage;
    if (part->is_ready()) result.whole = part->memory();
    result.inputs.emplace_back(part, part->layout);
  }
  result.outputs.emplace_back(Ref<Storage>::share(node.storage), node.storage->layout);
  result.context = node.storage->context;
}

void lower(const Group& group, Lowered& result) {
  const Node& last = *group.nodes.back();
  if (last.is_concat) return lower_concat(last, result);
  Lowering(group, result).run();
  if (const Node* concat = concat_of(last)) {
    const Storage& whole = *concat->storage;
    result.concat = concat->group;
    result.whole_bytes = whole.layout.count() * whole.dtype.bytes();
  }
}

void place(Argument& argument, const Source& source, std::size_t axes) {
  argument.scalar = source.scalar;
  argument.offset = source.layout.offset;
  argument.strides = source.layout.strides;
  if (source.is_base) argument.strides = Dims(axes, 0);
}

/// Of a loop without a turn the other extents mean nothing; as 1 their products fit.
static void shorten_empty(std::span<std::int64_t> extents) {
  const auto zero = std::ranges::find(extents, 0);
  if (zero == extents.end()) return;
  std::ranges::fill(extents, 1);
  *zero = 0;
}

void simplify(Program& program, Dims& shape, int& kept, std::span<Argument> inputs,
              std::span<Argument> epilogue_inputs, std::span<Argument> outputs) {
  const std::span<std::int64_t> extents(shape.begin(), shape.end());
  shorten_empty(extents.first(static_cast<std::size_t>(kept)));
  shorten_empty(extents.subspan(static_cast<std::size_t>(kept)));
  for (const Tape* tape : {&program.map, &program.epilogue})
    for (const Input& input : tape->inputs)
      if (input.kind == Input::Kind::index) return;  // axes have names in this program
  Operands operands{inputs, epilogue_inputs, outputs};
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1) continue;
    const bool is_kept = static_cast<int>(i) < kept;
    shape.erase(i);
    operands.erase(i, is_kept || program.gives_all_axes());
    kept -= is_kept;
  }
  // kept axes: largest stride of the first output outermost
  const Dims& order = outputs[0].strides;
  for (int i = 1; i < kept; ++i)
    for (int j = i; j > 0 && std::abs(order[j - 1]) < std::abs(order[j]); --j) {
      std::swap(shape[j - 1], shape[j]);
      operands.swap(j - 1, j);
    }
  for (std::size_t i = shape.size(); i-- > 1;) {
    const bool is_kept = static_cast<int>(i) < kept;
    if (static_cast<int>(i) == kept) continue;  // the border between kept and reduced
    const bool is_one = operands.all_of(
        is_kept, [&](const Dims& strides) { return strides[i - 1] == strides[i] * shape[i]; });
    if (!is_one) continue;
    shape[i - 1] *= shape[i];
    operands.all_of(is_kept, [&](Dims& strides) {
      strides[i - 1] = strides[i];
      return true;
    });
    shape.erase(i);
    operands.erase(i, is_kept);
    kept -= is_kept;
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI
