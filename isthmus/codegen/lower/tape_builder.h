// tape_builder.h: a tape that grows by one node at a time.
#pragma once

#include "isthmus/codegen/lower.h"
#include "isthmus/graph/same_order.h"

namespace isthmus::inline ISTHMUS_ABI {

/// While a tape grows, a step's value has this bit, since the inputs before it are not all known.
inline constexpr std::uint16_t step_bit = 0x8000;

/// Puts the steps of a user's function behind `known`, the values of its parameters.
/// `number(scalar)` and `step(step)` give the value of what they add. Returns that of the result.
std::uint16_t add_steps(const UserSteps& its, SmallVector<std::uint16_t, 16> known, auto number,
                        auto step) {
  for (const Scalar& one : its.numbers) known.push_back(number(one));
  for (Step made : its.steps) {
    for (int k = 0; k < info(made.op).arity; ++k) made.operands[k] = known[made.operands[k]];
    known.push_back(step(made));
  }
  return known[its.result];
}

struct TapeBuilder {
  Tape& tape;
  Sources& sources;
  const SmallVector<int, 8>*
      axes;                     ///< Loop axis k is axis (*axes)[k] of the arrays; null: the same.
  const Dims* shape = nullptr;  ///< Of the arrays; null: all that is read has it.

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
    if (operand.kind == Kind::index && operand.layout)
      return read({Input::Kind::number, TypeId::uint64}, nullptr, *operand.layout);
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
    return read({Input::Kind::memory, type}, operand.storage, operand.seen());
  }

  /// What is read at the place of the loop.
  std::uint16_t read(Input input, const Ref<Storage>& storage, const Layout& seen) {
    if (shape && seen.shape != *shape) return read(input, storage, in_loop(seen, *shape));
    if (!axes) return find_or_add(input, storage, seen);
    return find_or_add(input, storage, permute(seen, {axes->begin(), axes->end()}));
  }

  /// The value of a row. `value_of(i, type)`: that of an operand, a number in `type`.
  std::uint16_t row(const work::Map& work, const Node& node, auto value_of) {
    const DType dtype = node.storage->dtype;
    if (work.op == Op::astype) {
      const std::uint16_t value = value_of(0, work.type);
      return dtype.is_builtin() ? cast(value, dtype.id) : value;
    }
    Step made{work.op, work.type, dtype.id, {}};
    for (int i = 0; i < node.operand_count; ++i) {
      const TypeId want = operand_type(work.op, i, work.type);
      made.operands[i] = cast(value_of(i, want), want);
    }
    return step(made);
  }

  std::uint16_t row(const work::Read& work, const Node& node, auto value_of) {
    const bool is_load = work.op == Op::load;
    const bool has_any_bytes = is_load && has_foreign_bools(*node.operands[0].storage);
    Step made{work.op, work.type, node.storage->dtype.id, {}};
    if (has_any_bytes) made.type = made.result = TypeId::uint8;
    made.operands[0] = base(node.operands[0], made.type);
    for (int i = 1; i < node.operand_count; ++i) {
      const TypeId want = is_load || i == 2 ? TypeId::int64 : work.type;
      made.operands[i] = cast(value_of(i, want), want);
    }
    const std::uint16_t value = step(made);
    return has_any_bytes ? cast(value, TypeId::bool_) : value;
  }

  /// The same of a user's function whose steps are known.
  std::uint16_t row(const work::Call& work, const Node& node, auto value_of) {
    SmallVector<std::uint16_t, 16> known;
    for (int i = 0; i < node.operand_count; ++i) {
      const TypeId want = work.function->parameters[static_cast<std::size_t>(i)].type.id;
      known.push_back(cast(value_of(i, want), want));
    }
    return add_steps(
        *work.function->steps, std::move(known),
        [&](const Scalar& number) { return add({Input::Kind::scalar, number.dtype.id}, number); },
        [&](const Step& made) { return step(made); });
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

}  // namespace isthmus::inline ISTHMUS_ABI
