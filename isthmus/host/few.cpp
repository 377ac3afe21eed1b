// few.cpp: a map of few elements, step by step.
#include "isthmus/host/few.h"

#include <cstring>

#include "isthmus/host/frame.h"
#include "isthmus/host/step_rows.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// Values of one tape, each with memory for all elements.
class Few {
 public:
  Few(const RowTable& rows, const Tape& tape, const Walk& walk, std::span<const Operand> operands)
      : rows_(rows), tape_(tape), walk_(walk), operands_(operands), n_(walk.inner_count()) {
    const std::size_t values = tape.inputs.size() + tape.steps.size();
    at_.resize(values, nullptr);
    // raw values of half types, and numbers between two rows of a step, come beside the values
    next_ = thread_scratch(static_cast<std::int64_t>(2 * values + tape.outputs.size()) *
                           to_lines(16 * n_));
    first_output_ = operands.size() - tape.outputs.size();
  }

  void run(std::span<const Argument> arguments) {
    add_inputs(arguments);
    aim();
    for (std::size_t i = 0; i < tape_.steps.size(); ++i)
      add_rows(rows_, tape_.steps[i], static_cast<std::uint16_t>(tape_.inputs.size() + i), *this);
    write();
  }

  void add_row(Row row, std::uint16_t out, std::uint16_t x, std::uint16_t y, std::uint16_t z) {
    if (!at_[out]) at_[out] = take(info(held_type(tape_.type_of(out))).bits / 8);
    const auto address = [&](std::uint16_t v) { return v == no_value ? nullptr : at_[v]; };
    row(at_[out], at_[x], address(y), address(z), n_);
  }
  std::uint16_t new_slot(TypeId type) {
    at_.push_back(take(info(type).bits / 8));
    return static_cast<std::uint16_t>(at_.size() - 1);
  }

 private:
  char* take(std::int64_t bytes_of_element) {
    char* const taken = next_;
    next_ += to_lines(n_ * bytes_of_element);
    return taken;
  }
  void widen(TypeId half, char* out, const char* raw, std::int64_t n) {
    rows_.widen[half_index(half)](out, raw, nullptr, nullptr, n);
  }

  void add_inputs(std::span<const Argument> arguments) {
    std::size_t next = 0;
    for (std::size_t v = 0; v < tape_.inputs.size(); ++v) {
      const Input& input = tape_.inputs[v];
      if (input.kind == Input::Kind::scalar)
        at_[v] = spread(arguments[v].scalar, input.type);
      else if (input.kind == Input::Kind::base)
        at_[v] = static_cast<char*>(arguments[v].address);
      else
        at_[v] = read(input, operands_[next++]);
    }
  }

  char* spread(const Scalar& scalar, TypeId type) {
    alignas(16) char element[16], wide[16];
    store(scalar, type, element);
    if (is_half(type)) widen(type, wide, element, 1);
    const std::int64_t bytes = info(held_type(type)).bits / 8;
    char* const out = take(bytes);
    rows_.gathers[log2_bytes(bytes)](out, is_half(type) ? wide : element, 0, n_);
    return out;
  }

  char* read(const Input& input, const Operand& operand) {
    char* values = operand.base;
    if (!walk_.is_dense(operand) || is_overwritten(operand)) {
      values = take(operand.bytes ? operand.bytes : 8);
      walk_.gather(rows_, operand, 0, 0, n_, values);
    }
    if (!is_half(input.type) || input.kind != Input::Kind::memory) return values;
    char* const wide = take(4);
    widen(input.type, wide, values, n_);
    return wide;
  }

  /// With several outputs, one could be written before an input in the same place is last read.
  bool is_overwritten(const Operand& input) const {
    if (tape_.outputs.size() < 2) return false;
    for (std::size_t k = first_output_; k < operands_.size(); ++k)
      if (operands_[k].base == input.base) return true;
    return false;
  }

  /// The last step of a tape of one output goes where that is, if it is dense.
  void aim() {
    const std::size_t values = tape_.inputs.size() + tape_.steps.size();
    if (tape_.steps.empty() || tape_.outputs.size() != 1 || tape_.outputs[0] + 1u != values) return;
    const Operand& output = operands_[first_output_];
    if (!is_half(tape_.type_of(tape_.outputs[0])) && walk_.is_dense(output))
      at_[tape_.outputs[0]] = output.base;
  }

  void write() {
    for (std::size_t k = 0; k < tape_.outputs.size(); ++k) {
      const Operand& output = operands_[first_output_ + k];
      const TypeId type = tape_.type_of(tape_.outputs[k]);
      char* value = at_[tape_.outputs[k]];
      if (value == output.base) continue;
      if (is_half(type)) {
        char* const raw = take(2);
        rows_.narrow[half_index(type)](raw, value, nullptr, nullptr, n_);
        value = raw;
      }
      walk_.scatter(rows_, output, 0, 0, n_, value);
    }
  }

  const RowTable& rows_;
  const Tape& tape_;
  const Walk& walk_;
  std::span<const Operand> operands_;
  const std::int64_t n_;
  SmallVector<char*, 24> at_;
  char* next_;  ///< Memory that is free.
  std::size_t first_output_;
};

}  // namespace

bool suits_few(const Tape& tape) {
  constexpr std::size_t most_values = 32;  // with more, the memory for them is no longer near
  if (tape.inputs.size() + tape.steps.size() > most_values) return false;
  // rows of numbers that follow each other have a way of their own
  return std::ranges::none_of(tape.steps, [](const Step& step) { return is_random(step.op); });
}

void run_few(const RowTable& rows, const Tape& tape, std::span<const Argument> arguments,
             const Walk& walk, std::span<const Operand> operands) {
  Few(rows, tape, walk, operands).run(arguments);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
