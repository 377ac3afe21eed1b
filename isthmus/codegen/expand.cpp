// expand.cpp: calls of users' functions as the steps that they are known to take.
#include <algorithm>

#include "isthmus/codegen/lower.h"
#include "isthmus/codegen/lower/tape_builder.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// Writes a tape anew, with steps in the places of calls.
class Expansion {
 public:
  Expansion(Tape& tape, Sources& sources) : tape_(tape), sources_(sources) {}

  void run() {
    const std::vector<UserCall> calls = std::move(tape_.calls);
    tape_.calls.clear();
    const auto inputs = static_cast<std::uint16_t>(tape_.inputs.size());
    for (std::uint16_t v = 0; v < inputs; ++v) known_.push_back(v);
    std::size_t more = 0;
    for (const UserCall& call : calls) more += call.function->steps->numbers.size();
    inputs_ = static_cast<std::uint16_t>(inputs + more);
    for (const Step& step : tape_.steps)
      known_.push_back(step.op == Op::user ? add(calls[step.operands[0]]) : add_known(step));
    for (std::uint16_t& output : tape_.outputs) output = known_[output];
    tape_.steps = std::move(steps_);
  }

 private:
  using Values = SmallVector<std::uint16_t, 16>;

  /// A step of the old tape.
  std::uint16_t add_known(Step step) {
    for (int k = 0; k < info(step.op).arity; ++k) step.operands[k] = known_[step.operands[k]];
    return add(step);
  }

  std::uint16_t add(const Step& step) {
    steps_.push_back(step);
    return static_cast<std::uint16_t>(inputs_ + steps_.size() - 1);
  }

  std::uint16_t add(const Scalar& number) {
    tape_.inputs.push_back({Input::Kind::scalar, number.dtype.id});
    sources_.emplace_back(number);
    return static_cast<std::uint16_t>(tape_.inputs.size() - 1);
  }

  std::uint16_t add(const UserCall& call) {
    Values known;
    for (const std::uint16_t operand : call.operands) known.push_back(known_[operand]);
    const auto added = [this](const auto& what) { return add(what); };
    return add_steps(*call.function->steps, std::move(known), added, added);
  }

  Tape& tape_;
  Sources& sources_;
  Values known_;              ///< Where each value of the tape is now.
  std::uint16_t inputs_ = 0;  ///< With all numbers.
  SmallVector<Step, 8> steps_;
};

}  // namespace

bool knows_calls(const Program& program, bool has_fp64) {
  const auto is_known = [&](const UserCall& call) {
    const std::optional<UserSteps>& steps = call.function->steps;
    return steps && (has_fp64 || !steps->has_fp64);
  };
  return !program.combine && std::ranges::all_of(program.map.calls, is_known) &&
         std::ranges::all_of(program.epilogue.calls, is_known);
}

void expand_calls(Lowered& kernel) {
  kernel.names = names_of(kernel.program);
  Expansion(kernel.program.map, kernel.inputs).run();
  Expansion(kernel.program.epilogue, kernel.epilogue_inputs).run();
}

Names names_of(const Lowered& kernel) {
  return kernel.names.empty() ? names_of(kernel.program) : kernel.names;
}

}  // namespace isthmus::inline ISTHMUS_ABI
