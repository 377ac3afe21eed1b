// slopes.cpp: which values of a tape follow each other along an axis of the loop.
#include "isthmus/host/slopes.h"

#include <algorithm>

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

bool is_wide(TypeId type) { return type == TypeId::int64 || type == TypeId::uint64; }

/// As numbers of 64 bits wrap around.
std::int64_t combined(Op op, std::int64_t x, std::int64_t y) {
  const auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
  return static_cast<std::int64_t>(op == Op::add ? a + b : a - b);
}

Slope slope_of(const Step& step, std::span<const Slope> known) {
  if (step.op == Op::user) return {};
  const auto operand = [&](int k) { return known[step.operands[k]]; };
  const int arity = info(step.op).arity;
  const bool is_same = std::all_of(step.operands, step.operands + arity,
                                   [&](std::uint16_t value) { return known[value] == 0; });
  if (is_same) return 0;
  if (!is_wide(step.type) || !is_wide(step.result)) return {};
  if (step.op == Op::astype) return operand(0);
  if ((step.op != Op::add && step.op != Op::subtract) || !operand(0) || !operand(1)) return {};
  return combined(step.op, *operand(0), *operand(1));
}

}  // namespace

SmallVector<Slope, 16> slopes_of(const Tape& tape, const Walk& walk,
                                 std::span<const Operand> operands) {
  SmallVector<Slope, 16> slopes;
  std::size_t next = 0;
  for (const Input& input : tape.inputs) {
    if (input.kind == Input::Kind::scalar || input.kind == Input::Kind::base) {
      slopes.push_back(0);
      continue;
    }
    const Operand& operand = operands[next++];
    const std::int64_t stride = walk.last_stride(operand);
    // of memory the stride says where elements lie, not what they are
    slopes.push_back(operand.bytes == 0 || stride == 0 ? Slope(stride) : std::nullopt);
  }
  for (const Step& step : tape.steps)
    slopes.push_back(slope_of(step, {slopes.begin(), slopes.end()}));
  return slopes;
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
