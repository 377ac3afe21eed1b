// program.cpp: a program in words.
#include "isthmus/codegen/program.h"

#include <algorithm>

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Each word changes all bits of what follows; the last is folded so that low bits know of high
/// ones.
struct Mixer {
  std::uint64_t state = 0;
  void add(std::uint64_t word) noexcept {
    state = (state ^ word) * 0x9e3779b97f4a7c15;
    state ^= state >> 29;
  }
  template <class... Parts>
  void add_parts(Parts... parts) noexcept {
    std::uint64_t word = 0;
    ((word = word << 16 | static_cast<std::uint16_t>(parts)), ...);
    add(word);
  }
};

void mix(Mixer& mixer, const Tape& tape) noexcept {
  mixer.add_parts(tape.inputs.size(), tape.steps.size(), tape.outputs.size());
  for (const Input& input : tape.inputs) mixer.add_parts(input.kind, input.type, input.axis);
  for (const Step& step : tape.steps) {
    mixer.add_parts(step.op, step.type, step.result);
    mixer.add_parts(step.operands[0], step.operands[1], step.operands[2]);
  }
  for (const std::uint16_t output : tape.outputs) mixer.add(output);
  for (const UserCall& call : tape.calls) {
    mixer.add(std::hash<std::string>()(call.function->name));
    for (const std::uint16_t operand : call.operands) mixer.add(operand);
  }
}

}  // namespace

bool is_exact(const Step& step) {
  if (step.op == Op::astype) return true;
  const Family family = DType(step.type).family;
  if (family == Family::real)
    return info(step.op).ulp == 0 && step.op != Op::fmax && step.op != Op::fmin;
  return family != Family::complex || info(step.op).complex_ulp == 0;
}

bool is_exact(const Program& program) {
  if (program.combine || program.user) return false;
  const auto are_exact = [](const Tape& tape) {
    return std::ranges::all_of(tape.steps, [&](const Step& step) {
      if (step.op != Op::user) return is_exact(step);
      const auto& known = tape.calls[step.operands[0]].function->steps;
      return known &&
             std::ranges::all_of(known->steps, [](const Step& one) { return is_exact(one); });
    });
  };
  const auto multiplies_complex = [](Reduction reduction, TypeId type) {
    return reduction == Reduction::prod && DType(type).family == Family::complex;
  };
  if (!are_exact(program.map) || !are_exact(program.epilogue)) return false;
  if (multiplies_complex(program.reduction, program.accumulator)) return false;
  return std::ranges::none_of(program.beside, [&](const Beside& one) {
    return multiplies_complex(one.reduction, one.accumulator);
  });
}

std::int64_t cost_of(const Step& step) {
  const OpInfo& row = info(step.op);
  const bool is_complex = info(step.type).family == Family::complex;
  if (step.op == Op::astype) return 1;
  if (step.op == Op::user) return 40;  // nothing is known of it
  if (reads_by_position(step.op)) return step.op == Op::load ? 4 : 40;
  if (is_random(step.op)) return row.words == 2 ? 200 : 20;  // in loops
  if (step.op == Op::pow) return is_complex ? 100 : 30;
  if (step.op == Op::floor_divide || step.op == Op::remainder) return 12;
  if (row.promotes_integers() && step.op != Op::divide && step.op != Op::sqrt)
    return is_complex ? 60 : 8;
  return is_complex ? 4 : 1;
}

std::size_t hash_of(const Program& program) noexcept {
  Mixer mixer;
  mixer.add_parts(program.reduction, program.accumulator);
  mixer.add(static_cast<std::uint64_t>(program.record_bytes));
  mixer.add_parts(program.store, program.shape, number_of(program.sorting));
  for (const Beside& other : program.beside) mixer.add_parts(other.reduction, other.accumulator);
  mix(mixer, program.map);
  if (program.has_kept_axes()) mix(mixer, program.epilogue);
  if (program.combine) mixer.add(std::hash<std::string>()(program.combine->name));
  for (const UserStruct& one : program.structs) mixer.add(std::hash<std::string>()(one.name));
  if (program.user) mixer.add(std::hash<std::string>()(program.user->text));
  const Form& form = program.form;
  mixer.add_parts(form.loop, form.rank, form.kept, 2 * form.is_small + form.is_chunked);
  for (const Access access : form.operands) mixer.add(static_cast<std::uint64_t>(access));
  return mixer.state;
}

std::string_view Program::options() const {
  if (combine) return combine->options;
  for (const Tape* const tape : {&map, &epilogue})
    if (!tape->calls.empty()) return tape->calls[0].function->options;
  return {};
}

Names names_of(const Program& program) {
  Names names;
  if (program.user) names.push_back("a user's program");
  // a user's reduction has functions before and after it, of one name
  const auto add_users = [&](std::string_view name) {
    if (names.empty() || names.back() != name) names.push_back(name);
  };
  const auto add_all = [&](const Tape& tape) {
    for (const Step& step : tape.steps)
      if (step.op == Op::user)
        add_users(tape.calls[step.operands[0]].function->shown);
      else
        names.push_back(info(step.op).name);
  };
  add_all(program.map);
  if (program.combine)
    add_users(program.name());
  else if (program.has_kept_axes())
    names.push_back(program.name());
  for (const Beside& other : program.beside) names.push_back(info(other.reduction).name);
  add_all(program.epilogue);
  if (program.shape == KernelShape::store) names.push_back(info(Op::store).name);
  const auto is_number = [](const Input& input) { return input.kind == Input::Kind::scalar; };
  const auto is_index = [](const Input& input) { return input.kind == Input::Kind::index; };
  if (names.empty() && std::ranges::all_of(program.map.inputs, is_number)) names.push_back("fill");
  if (names.empty() && std::ranges::all_of(program.map.inputs, is_index)) names.push_back("arange");
  return names;
}

std::string list_of(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text.empty() ? "copy" : text;
}

}  // namespace isthmus::inline ISTHMUS_ABI
