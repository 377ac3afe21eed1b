// signature.cpp: the parameters of a program's kernels.
#include "isthmus/codegen/emit/signature.h"

#include <algorithm>
#include <bit>

#include "isthmus/codegen/emit/shape.h"

namespace isthmus::emitting {

bool draws_in_blocks(const Program& program) {
  constexpr std::size_t most_steps = 16;  // the text has all of them five times
  const Form& form = program.form;
  const bool is_row =
      program.shape == KernelShape::map && form.loop == Loop::flat && form.rank == 1;
  return is_row && program.map.steps.size() <= most_steps && !program.calls_users() &&
         std::ranges::any_of(program.map.steps,
                             [](const Step& step) { return is_random(step.op); });
}

bool is_moved(const Tape& tape, std::uint16_t value) {
  if (value >= tape.inputs.size()) return false;
  if (tape.inputs[value].kind != Input::Kind::memory &&
      tape.inputs[value].kind != Input::Kind::scalar)
    return false;
  for (const Step& step : tape.steps) {
    const int arity = info(step.op).arity;
    for (int k = 0; k < arity; ++k)
      if (step.operands[k] == value) return false;
  }
  for (const UserCall& call : tape.calls)
    if (std::ranges::find(call.operands, value) != call.operands.end()) return false;
  return true;
}

// Granlund and Montgomery, "Division by invariant integers using multiplication", 1994.
std::int64_t divider_of(std::int64_t extent) {
  const auto d = static_cast<std::uint64_t>(extent);
  const int bits = static_cast<int>(std::bit_width(d > 0 ? d - 1 : 0)), shift = 31 + bits;
  const std::uint64_t factor = d > 0 ? ((std::uint64_t{1} << shift) + d - 1) / d : 0;
  return static_cast<std::int64_t>(factor | static_cast<std::uint64_t>(shift) << 32);
}

Signature::Signature(const Program& program, const Traits& traits) {
  const Form& form = program.form;
  const bool is_reduction = program.has_kept_axes();
  const bool adds = program.shape == KernelShape::store && program.store == Store::sum;
  divider_word = words = form.rank;
  if (form.is_small) words += form.rank;
  kept_word = words++;
  if (is_reduction) reduced_word = words++;
  std::size_t next = 0;
  const auto add = [&](Operand operand, bool is_number = false) {
    operand.access = form.operands[next++];
    operand.word = words;
    words += operand.words();
    is_number ? numbers.push_back(operand) : operands.push_back(operand);
  };
  const auto add_inputs = [&](const Tape& tape, Pointer::Of of, int axes, int fast_axis) {
    std::uint16_t index = 0;
    for (std::uint16_t v = 0; v < tape.inputs.size(); ++v) {
      const Input& input = tape.inputs[v];
      if (input.kind == Input::Kind::result) continue;
      const Pointer source{of, index++};
      const bool moves = is_moved(tape, v) && !(is_reduction && of == Pointer::Of::input) && !adds;
      if (input.kind == Input::Kind::base) add({source, v, input.type, false, 0});
      if (input.kind == Input::Kind::scalar) scalars.push_back({source, v, input.type, moves, 0});
      const bool is_number = input.kind == Input::Kind::number;
      if (input.kind != Input::Kind::memory && !is_number) continue;
      add({source, v, input.type, moves, axes, fast_axis}, is_number);
    }
  };
  add_inputs(program.map, Pointer::Of::input, form.rank,
             (form.loop == Loop::outer ? form.kept : form.rank) - 1);
  add_inputs(program.epilogue, Pointer::Of::epilogue_input, form.kept, form.kept - 1);
  const Tape& last = program.last_tape();
  const Shape& shape = shape_of(program);
  if (shape.writes_anywhere) {
    const std::uint16_t value = last.outputs[0];
    const bool moves = is_moved(last, value) && !adds;
    add({{Pointer::Of::output, 0}, value, last.type_of(value), moves, 0});
  }
  for (std::uint16_t i = 0; !shape.writes_anywhere && i < last.outputs.size(); ++i) {
    const std::uint16_t value = last.outputs[i];
    add({{Pointer::Of::output, i},
         value,
         last.type_of(value),
         is_moved(last, value),
         program.gives_all_axes() ? form.rank : form.kept,
         (program.gives_all_axes() && form.loop == Loop::inner ? form.rank : form.kept) - 1});
  }
  own_word = words;
  words += draws_in_blocks(program) ? 2 : shape.words;
  for (ScalarWord& scalar : scalars) {
    scalar.word = words;
    words += info(scalar.type).family == Family::complex ? 2 : 1;
  }
  is_in_memory = words > static_cast<int>(traits.words);
}

}  // namespace isthmus::emitting
