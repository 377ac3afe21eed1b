// plan.cpp: a tape made ready for this machine: rows and chains over values in blocks.
#include "isthmus/host/plan.h"

#include <algorithm>
#include <utility>

#include "isthmus/host/chain_planner.h"
#include "isthmus/host/slopes.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

/// From this cost on a row calculates longer than its operands take to arrive.
constexpr std::int64_t slow = 8;

/// Results that are larger are written past the caches. Else each line is read before it is
/// written, and takes the place of another; from half of this size on that costs more than reading
/// the result from memory later.
constexpr std::int64_t far_bytes = std::int64_t{32} << 20;

/// Shorter runs are loaded element by element.
constexpr std::int64_t shortest_run = 4;

/// How an operand of the loop may be reached.
struct Reach {
  bool is_dense = false;  ///< a block of it can be read or written in place
  const void* base = nullptr;
};

class Planner {
 public:
  Planner(const RowTable& rows, const Tape& tape, const Walk& walk,
          std::span<const Operand> operands, bool is_store)
      : rows_(rows), tape_(tape), walk_(walk), operands_(operands), is_store_(is_store) {
    for (const Operand& operand : operands)
      reach_.push_back({walk.is_dense(operand), operand.base});
  }
  Plan make();

  void add_row(Row row, std::uint16_t out, std::uint16_t x, std::uint16_t y = no_value,
               std::uint16_t z = no_value);
  std::uint16_t new_slot(TypeId type) { return new_value(type, Place::slot); }

 private:
  void find_runs();
  void count_uses();
  bool is_numbered(const Step& step) const;
  void add_numbered(const Step& step, std::uint16_t out);
  std::uint16_t operand_of(std::size_t input) const;
  bool is_run(std::size_t step) const { return step < slopes_.size() && slopes_[step]; }
  void add_inputs();
  void place_outputs();
  void add_steps();
  void add_row_step(std::size_t index);
  void add_run(std::size_t index);
  void plan_positions();
  Runs& runs();
  void add_outputs();
  bool can_move(std::uint16_t value) const;
  void flush();
  bool is_read_while_written(std::size_t input) const;
  bool is_far(std::size_t output) const;
  std::uint16_t new_value(TypeId type, Place place);
  void put_scalars_in_place();
  void put_in_scalars(std::uint16_t value);
  void read_ahead();
  std::size_t output_count() const { return tape_.outputs.size() - !!store_slope_; }
  std::size_t output_operand(std::size_t output) const { return memory_inputs_ + output; }

  const RowTable& rows_;
  const Tape& tape_;
  const Walk& walk_;
  std::span<const Operand> operands_;
  const bool is_store_;
  SmallVector<Reach, 8> reach_;
  SmallVector<Slope, 8> slopes_;   ///< Of the positions of each step that loads a run.
  Slope store_slope_;              ///< Of those that a store of runs writes to.
  std::size_t memory_inputs_ = 0;  ///< Operands of the loop that are inputs.
  Plan plan_;
  SmallVector<std::uint16_t, 16> uses_;
  SmallVector<std::uint16_t, 16> chain_;        ///< Cheap steps not yet written down.
  SmallVector<std::uint16_t, 2> output_ports_;  ///< Of each output: the value that is in place.
  SmallVector<std::size_t, 8> slow_;            ///< Instructions that leave the memory idle.
};

std::uint16_t Planner::new_value(TypeId type, Place place) {
  plan_.values.push_back({type, place});
  return static_cast<std::uint16_t>(plan_.values.size() - 1);
}

void Planner::add_row(Row row, std::uint16_t out, std::uint16_t x, std::uint16_t y,
                      std::uint16_t z) {
  if (plan_.values[out].place == Place::nowhere) plan_.values[out].place = Place::slot;
  plan_.instructions.push_back({row, out, x, y, z});
}

/// The loads and the store whose positions are known from that of the first element of the last
/// axis.
void Planner::find_runs() {
  const auto is_load = [](const Step& step) { return step.op == Op::load; };
  const bool may_have_runs = is_store_ || std::ranges::any_of(tape_.steps, is_load);
  if (walk_.last_length() < shortest_run || !may_have_runs) return;
  const SmallVector<Slope, 16> slopes = slopes_of(tape_, walk_, operands_);
  for (const Step& step : tape_.steps)
    slopes_.push_back(is_load(step) ? slopes[step.operands[1]] : std::nullopt);
  if (is_store_) store_slope_ = slopes[tape_.outputs[1]];
}

/// Whether a step draws elements whose numbers follow each other in every block, of one key and
/// stream, by a row that needs to know the first number alone.
bool Planner::is_numbered(const Step& step) const {
  if (!is_random(step.op) || !numbered_row_of(rows_, step.op, step.type)) return false;
  const auto is_scalar = [&](std::uint16_t value) {
    return value < tape_.inputs.size() && tape_.inputs[value].kind == Input::Kind::scalar;
  };
  const auto [x, y, z] = step.operands;
  if (x >= tape_.inputs.size() || !is_scalar(y) || !is_scalar(z)) return false;
  const Input::Kind kind = tape_.inputs[x].kind;
  if (kind != Input::Kind::number && kind != Input::Kind::index) return false;
  return walk_.last_length() == walk_.inner_count() &&
         walk_.last_stride(operands_[operand_of(x)]) == 1;
}

/// Where an input that is walked stands among the operands of the loop.
std::uint16_t Planner::operand_of(std::size_t input) const {
  const auto is_walked = [](const Input& other) {
    return other.kind != Input::Kind::scalar && other.kind != Input::Kind::base;
  };
  return static_cast<std::uint16_t>(
      std::count_if(tape_.inputs.begin(), tape_.inputs.begin() + input, is_walked));
}

/// Uses by steps that lead to an output, and by outputs.
void Planner::count_uses() {
  const std::size_t inputs = tape_.inputs.size();
  uses_.resize(inputs + tape_.steps.size(), 0);
  for (std::size_t k = 0; k < output_count(); ++k) ++uses_[tape_.outputs[k]];
  for (std::size_t i = tape_.steps.size(); i-- > 0;) {
    if (uses_[inputs + i] == 0 || is_run(i)) continue;
    const Step& step = tape_.steps[i];
    const int arity = info(step.op).arity;
    for (int k = is_numbered(step) ? 1 : 0; k < arity; ++k) ++uses_[step.operands[k]];
  }
}

/// With several outputs, one could be written before an input in the same place is last read.
bool Planner::is_read_while_written(std::size_t input) const {
  if (tape_.outputs.size() < 2) return false;
  for (std::size_t k = memory_inputs_; k < reach_.size(); ++k)
    if (reach_[k].base == reach_[input].base) return true;
  return false;
}

/// Whether the caches have no use for an output: it is large, and read neither before nor after.
bool Planner::is_far(std::size_t output) const {
  const Reach& reach = reach_[output_operand(output)];
  for (std::size_t k = 0; k < memory_inputs_; ++k)
    if (reach_[k].base == reach.base) return false;
  const std::uint16_t value = tape_.outputs[output];
  const std::int64_t count = walk_.outer_count() * walk_.inner_count();
  return uses_[value] == 1 && count * (info(tape_.type_of(value)).bits / 8) >= far_bytes;
}

void Planner::add_inputs() {
  memory_inputs_ = operand_of(tape_.inputs.size());
  for (const Input& input : tape_.inputs) new_value(held_type(input.type), Place::nowhere);
  for (const Step& step : tape_.steps) new_value(held_type(step.result), Place::nowhere);
  std::uint16_t operand = 0;
  for (std::uint16_t v = 0; v < tape_.inputs.size(); ++v) {
    const Input& input = tape_.inputs[v];
    if (input.kind == Input::Kind::scalar) {
      plan_.values[v].is_constant = true;
      plan_.scalars.push_back({v, v});
      continue;
    }
    if (input.kind == Input::Kind::base) {
      plan_.values[v].place = Place::direct;
      plan_.bases.push_back({v, v});
      continue;
    }
    const std::uint16_t argument = operand++;
    if (uses_[v] == 0) continue;
    const bool is_raw_half = is_half(input.type) && input.kind == Input::Kind::memory;
    const Place place =
        reach_[argument].is_dense && !is_read_while_written(argument) ? Place::direct : Place::slot;
    std::uint16_t port = v;
    if (is_raw_half) {
      port = new_value(input.type, place);
      add_row(rows_.widen[half_index(input.type)], v, port);
    }
    plan_.values[port].place = place;
    plan_.reads.push_back({port, argument});
  }
}

/// A value that was calculated is put where it goes at once, if that is dense.
void Planner::place_outputs() {
  for (std::size_t k = 0; k < output_count(); ++k) {
    const std::uint16_t value = tape_.outputs[k];
    output_ports_.push_back(no_value);
    if (output_operand(k) >= reach_.size()) continue;
    if (value < tape_.inputs.size() || is_half(tape_.type_of(value))) continue;
    // a run is loaded before anything else is read
    if (tape_.outputs.size() > 1 && is_run(value - tape_.inputs.size())) continue;
    if (!reach_[output_operand(k)].is_dense || plan_.values[value].place == Place::direct) continue;
    plan_.values[value].place = Place::direct;
    plan_.values[value].is_far = is_far(k);
    output_ports_[k] = value;
    plan_.writes.push_back({value, static_cast<std::uint16_t>(output_operand(k))});
  }
}

void Planner::flush() {
  if (chain_.empty()) return;
  const auto suits_row = [&](std::uint16_t step) {
    return call_link(rows_, tape_.steps[step]) || !plan_.values[tape_.inputs.size() + step].is_far;
  };
  if (chain_.size() == 1 && suits_row(chain_[0])) {
    add_row_step(chain_[0]);
  } else {
    for (const std::uint16_t index : chain_)
      if (call_link(rows_, tape_.steps[index])) plan_.cost += cost_of(tape_.steps[index]);
    plan_.cost += static_cast<std::int64_t>(chain_.size()) / 2;
    ChainPlanner(rows_, tape_, uses_, plan_).add(chain_);
  }
  chain_.clear();
}

void Planner::add_steps() {
  const std::uint16_t inputs = static_cast<std::uint16_t>(tape_.inputs.size());
  for (std::uint16_t i = 0; i < tape_.steps.size(); ++i) {
    if (uses_[inputs + i] == 0) continue;
    const Step& step = tape_.steps[i];
    if (is_run(i)) {
      add_run(i);
      continue;
    }
    if (is_chainable(rows_, step)) {
      if (!chain_.empty() && tape_.steps[chain_[0]].type != step.type) flush();
      chain_.push_back(i);
      continue;
    }
    // A row that needs nothing of the open chain may come before it.
    const int arity = info(step.op).arity;
    const bool needs_chain = std::any_of(step.operands, step.operands + arity, [&](auto operand) {
      return operand >= inputs && std::ranges::binary_search(chain_, operand - inputs);
    });
    if (needs_chain) flush();
    add_row_step(i);
  }
  flush();
}

void Planner::add_row_step(std::size_t index) {
  const Step& step = tape_.steps[index];
  const auto out = static_cast<std::uint16_t>(tape_.inputs.size() + index);
  if (is_numbered(step)) return add_numbered(step, out);
  const std::size_t first = plan_.instructions.size();
  plan_.cost += cost_of(step);
  add_rows(rows_, step, out, *this);
  const bool calculates = step.op != Op::astype && !reads_by_position(step.op);
  if (calculates && cost_of(step) >= slow) slow_.push_back(first);
}

void Planner::add_numbered(const Step& step, std::uint16_t out) {
  plan_.cost += cost_of(step);
  const std::uint16_t first = new_value(TypeId::uint64, Place::scalar);
  put_in_scalars(first);
  plan_.reads.push_back({first, operand_of(step.operands[0]), true});
  add_row(numbered_row_of(rows_, step.op, step.type), out, first, step.operands[1],
          step.operands[2]);
}

void Planner::add_run(std::size_t index) {
  const Step& step = tape_.steps[index];
  auto value = static_cast<std::uint16_t>(tape_.inputs.size() + index);
  if (is_half(step.type)) {
    const std::uint16_t raw = new_value(step.type, Place::nowhere);
    add_row(rows_.widen[half_index(step.type)], value, raw);
    value = raw;
  }
  RunLoad load{value, step.operands[0], *slopes_[index]};
  Place& place = plan_.values[value].place;
  load.is_in_place =
      place != Place::direct && load.slope == 1 && walk_.last_length() == walk_.inner_count();
  if (place != Place::direct) place = load.is_in_place ? Place::direct : Place::slot;
  plan_.cost += 1;
  runs().loads.push_back(load);
}

Runs& Planner::runs() {
  if (!plan_.runs)
    plan_.runs.reset(new Runs{walk_.without_last(), walk_.last_length(), {}, {}, {}});
  return *plan_.runs;
}

void Planner::plan_positions() {
  if (store_slope_) runs().store_slope = store_slope_;
  if (!plan_.runs) return;
  Tape tape = tape_;
  tape.outputs.clear();
  for (std::size_t i = 0; i < tape_.steps.size(); ++i)
    if (is_run(i) && uses_[tape_.inputs.size() + i] > 0)
      tape.outputs.push_back(tape_.steps[i].operands[1]);
  if (store_slope_) tape.outputs.push_back(tape_.outputs[1]);
  Plan& positions = runs().positions;
  positions = make_plan(rows_, tape, runs().walk, operands_.first(memory_inputs_));
  plan_.cost += positions.cost / runs().length;
}

/// Whether a dense output can take the elements of an input as they are brought together.
bool Planner::can_move(std::uint16_t value) const {
  return tape_.outputs.size() == 1 && value < tape_.inputs.size() &&
         plan_.values[value].place == Place::slot;
}

void Planner::add_outputs() {
  for (std::size_t k = 0; k < output_count(); ++k) {
    if (output_ports_[k] != no_value) continue;
    const auto operand = static_cast<std::uint16_t>(output_operand(k));
    std::uint16_t value = tape_.outputs[k];
    const TypeId type = tape_.type_of(value);
    if (operand >= reach_.size()) {
      plan_.results.push_back(value);
      continue;
    }
    const Place place = reach_[operand].is_dense ? Place::direct : Place::slot;
    if (is_half(type)) {
      const std::uint16_t raw = new_value(type, place);
      add_row(rows_.narrow[half_index(type)], raw, value);
      value = raw;
    } else if (place == Place::direct && can_move(value)) {
      std::ranges::find(plan_.reads, value, &Port::value)->is_moved = true;
      plan_.values[value].place = Place::direct;
    } else if (place == Place::direct || plan_.values[value].is_constant) {
      const std::uint16_t copy = new_value(type, place);
      add_row(rows_.casts[static_cast<int>(type)][static_cast<int>(type)], copy, value);
      value = copy;
    }
    plan_.writes.push_back({value, operand});
  }
}

/// A scalar that a row reads is spread over a slot; chains read a single element.
void Planner::put_scalars_in_place() {
  const auto spread = [&](std::uint16_t value) {
    if (value != no_value && plan_.values[value].is_constant)
      plan_.values[value].place = Place::slot;
  };
  for (const Instruction& instruction : plan_.instructions) {
    if (!instruction.row || instruction.is_of_first) continue;
    spread(instruction.x);
    spread(instruction.y);
    spread(instruction.z);
  }
  for (const std::uint16_t value : plan_.results) spread(value);
  for (const Port& scalar : plan_.scalars) {
    if (plan_.values[scalar.value].place != Place::slot) put_in_scalars(scalar.value);
  }
}

/// Gives a value scratch memory of one element.
void Planner::put_in_scalars(std::uint16_t value) {
  plan_.values[value].place = Place::scalar;
  plan_.values[value].slot = static_cast<std::uint32_t>(plan_.scalar_bytes);
  plan_.scalar_bytes += 16;
}

/// The last slow row before a chain can read the chain's operands ahead.
void Planner::read_ahead() {
  std::uint16_t chain = no_value;
  for (std::size_t i = plan_.instructions.size(); i-- > 0;) {
    Instruction& instruction = plan_.instructions[i];
    if (!instruction.row) chain = instruction.chain;
    if (!instruction.row || slow_.empty() || slow_.back() != i) continue;
    slow_.pop_back();
    instruction.chain = std::exchange(chain, no_value);
  }
}

Plan Planner::make() {
  find_runs();
  count_uses();
  add_inputs();
  place_outputs();
  add_steps();
  add_outputs();
  plan_positions();
  put_scalars_in_place();
  read_ahead();
  assign_slots(plan_);
  for (const ChainPlan& chain : plan_.chains)
    plan_.tail_bytes = std::max(plan_.tail_bytes, chain.operand_count * rows_.group_bytes);
  return std::move(plan_);
}

}  // namespace

Plan make_plan(const RowTable& rows, const Tape& tape, const Walk& walk,
               std::span<const Operand> operands, bool is_store) {
  return Planner(rows, tape, walk, operands, is_store).make();
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
