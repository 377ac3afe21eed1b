// chain_planner.cpp: turns a run of cheap steps into links of a chain.
#include "isthmus/host/chain_planner.h"

namespace isthmus::inline ISTHMUS_ABI::host {
namespace {

bool is_unary(Op op) {
  return op == Op::negative || op == Op::square || op == Op::abs || op == Op::sqrt;
}

UnaryLink unary_link(Op op) {
  switch (op) {
    case Op::negative: return UnaryLink::negate;
    case Op::square: return UnaryLink::square;
    case Op::abs: return UnaryLink::absolute;
    default: return UnaryLink::root;
  }
}

/// The link with the accumulator as first operand, and as second.
struct LinkPair {
  Link link, swapped;
};
LinkPair binary_link(Op op) {
  switch (op) {
    case Op::add: return {Link::add, Link::add};
    case Op::subtract: return {Link::sub, Link::rsub};
    case Op::multiply: return {Link::mul, Link::mul};
    case Op::divide: return {Link::div, Link::rdiv};
    case Op::maximum: return {Link::max, Link::rmax};
    default: return {Link::min, Link::rmin};
  }
}

bool can_pair(Link link) { return static_cast<int>(link) < pair_link_count; }

}  // namespace

void (*call_link(const RowTable& rows, const Step& step))() {
  return rows.chains[step.type == TypeId::float64].calls[static_cast<int>(step.op)];
}

bool is_chainable(const RowTable& rows, const Step& step) {
  if (step.type != TypeId::float32 && step.type != TypeId::float64) return false;
  if (static_cast<int>(step.op) >= op_count) return false;
  switch (step.op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::maximum:
    case Op::minimum: return true;
    default: return is_unary(step.op) || call_link(rows, step);
  }
}

ChainPlanner::Node* ChainPlanner::node_of(std::uint16_t value) {
  // In the order of the tape, so sorted by value.
  auto* node = std::lower_bound(nodes_.begin(), nodes_.end(), value,
                                [](const Node& a, std::uint16_t b) { return a.value < b; });
  return node != nodes_.end() && node->value == value ? node : nullptr;
}

void ChainPlanner::count_uses() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (const std::uint16_t value : {nodes_[i].x, nodes_[i].y}) {
      Node* node = value == no_value ? nullptr : node_of(value);
      if (!node) continue;
      ++node->inner_uses;
      node->user = static_cast<std::uint16_t>(i);
    }
  }
}

/// Two operands from memory, and used once: it can be calculated where it is used.
bool ChainPlanner::is_leaf(const Node& node) {
  return node.y != no_value && node.inner_uses == 1 && uses_[node.value] == 1 && !node_of(node.x) &&
         !node_of(node.y);
}

void ChainPlanner::fold_leaves() {
  for (Node& node : nodes_) {
    if (!is_leaf(node)) continue;
    const Node& user = nodes_[node.user];
    if (user.y == no_value) continue;
    const auto links = binary_link(tape_.steps[user.value - tape_.inputs.size()].op);
    if (!can_pair(user.x == node.value ? links.swapped : links.link)) continue;
    const Node* other = node_of(user.x == node.value ? user.y : user.x);
    if (other && !other->is_folded && (other->value > node.value || !is_leaf(*other)))
      node.is_folded = true;
  }
}

int ChainPlanner::scalar_bit(std::uint16_t value) const {
  return plan_.values[value].is_constant ? 1 : 0;
}

std::uint16_t ChainPlanner::operand(std::uint16_t value, bool is_written) {
  for (std::uint16_t i = chain_.first_operand; i < plan_.chain_operands.size(); ++i) {
    if (plan_.chain_operands[i].value != value) continue;
    plan_.chain_operands[i].is_written |= is_written;
    return static_cast<std::uint16_t>(i - chain_.first_operand);
  }
  plan_.chain_operands.push_back({value, is_written});
  return static_cast<std::uint16_t>(plan_.chain_operands.size() - 1 - chain_.first_operand);
}

void ChainPlanner::push(void (*function)(), std::uint16_t p, std::uint16_t q) {
  plan_.links.push_back(
      {function, p == no_value ? no_value : operand(p), q == no_value ? no_value : operand(q)});
  open_link_ = Link::div;
}

/// The last link, a pair, into the one before it if that does the same to the same operands.
void ChainPlanner::join_repeated(void (*repeat)()) {
  const std::size_t count = plan_.links.size();
  if (count < chain_.first_link + std::size_t{2}) return;
  PlanLink &last = plan_.links[count - 1], &before = plan_.links[count - 2];
  const bool is_same = before.function == last.function || before.function == repeat;
  if (!is_same || before.p != last.p || before.q != last.q) return;
  before.function = repeat;
  ++before.count;
  plan_.links.pop_back();
}

/// acc = acc `link` value, where the value may be folded.
void ChainPlanner::other_operand(Link link, std::uint16_t value) {
  const ChainTable& table = rows_.chains[chain_.table];
  const int outer = static_cast<int>(link);
  if (const Node* node = node_of(value); node && node->is_folded) {
    const Op op = tape_.steps[value - tape_.inputs.size()].op;
    const int scalars = scalar_bit(node->x) | scalar_bit(node->y) << 1;
    return push(table.operand[outer][static_cast<int>(binary_link(op).link)][scalars], node->x,
                node->y);
  }
  if (can_pair(link) && can_pair(open_link_)) {
    PlanLink& last = plan_.links.back();
    const int scalars = scalar_bit(plan_.chain_operands[chain_.first_operand + last.p].value) |
                        scalar_bit(value) << 1;
    last.function = table.pair[static_cast<int>(open_link_)][outer][scalars];
    last.q = operand(value);
    join_repeated(table.repeat[static_cast<int>(open_link_)][outer][scalars]);
    open_link_ = Link::div;
    return;
  }
  push(table.binary[outer][scalar_bit(value)], value);
  open_link_ = can_pair(link) ? link : Link::div;
}

void ChainPlanner::emit_binary(const Node& node, Link link, Link swapped) {
  const bool x_in_hand = accumulator_ == node.x, y_in_hand = accumulator_ == node.y;
  if (x_in_hand || y_in_hand)
    return x_in_hand ? other_operand(link, node.y) : other_operand(swapped, node.x);
  const Node *x = node_of(node.x), *y = node_of(node.y);
  const bool x_folded = x && x->is_folded, y_folded = y && y->is_folded;
  if (x_folded || y_folded) {
    other_operand(Link::load, node.x);
    return other_operand(link, node.y);
  }
  const int scalars = scalar_bit(node.x) | scalar_bit(node.y) << 1;
  push(rows_.chains[chain_.table].operand[0][static_cast<int>(link)][scalars], node.x, node.y);
}

/// Unless the next link is its only use.
bool ChainPlanner::must_store(std::size_t at) {
  const Node& node = nodes_[at];
  if (uses_[node.value] != node.inner_uses) return true;
  std::size_t next = at + 1;
  while (next < nodes_.size() && nodes_[next].is_folded) ++next;
  if (next == nodes_.size() || node.user != next) return true;
  const Node& user = nodes_[next];
  if (node.inner_uses == 1) return false;
  const Op op = tape_.steps[user.value - tape_.inputs.size()].op;
  return !(node.inner_uses == 2 && user.x == user.y && op == Op::multiply);
}

void ChainPlanner::emit(std::size_t at) {
  const Node node = nodes_[at];
  const ChainTable& table = rows_.chains[chain_.table];
  const Op op = tape_.steps[node.value - tape_.inputs.size()].op;
  const bool is_square = op == Op::multiply && node.x == node.y;
  if (is_square || node.y == no_value) {
    if (accumulator_ != node.x) other_operand(Link::load, node.x);
    const auto call = call_link(rows_, tape_.steps[node.value - tape_.inputs.size()]);
    chain_.has_calls |= call != nullptr;
    push(call ? call
              : table.unary[static_cast<int>(is_square ? UnaryLink::square : unary_link(op))]);
  } else {
    emit_binary(node, binary_link(op).link, binary_link(op).swapped);
  }
  accumulator_ = node.value;
  if (!must_store(at)) return;
  if (plan_.values[node.value].place == Place::nowhere)
    plan_.values[node.value].place = Place::slot;
  const bool is_far = plan_.values[node.value].is_far;
  chain_.bypasses |= is_far;
  push(table.unary[static_cast<int>(is_far ? UnaryLink::bypass : UnaryLink::store)], node.value);
  operand(node.value, true);
}

void ChainPlanner::add(std::span<const std::uint16_t> steps) {
  nodes_.clear();
  accumulator_ = no_value;
  open_link_ = Link::div;
  for (const std::uint16_t index : steps) {
    const Step& step = tape_.steps[index];
    nodes_.push_back({static_cast<std::uint16_t>(tape_.inputs.size() + index), step.operands[0],
                      info(step.op).arity == 1 ? no_value : step.operands[1]});
  }
  chain_ = {.first_link = static_cast<std::uint16_t>(plan_.links.size()),
            .first_operand = static_cast<std::uint16_t>(plan_.chain_operands.size()),
            .table = tape_.steps[steps[0]].type == TypeId::float64};
  count_uses();
  fold_leaves();
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].is_folded) emit(i);
  push(rows_.chains[chain_.table].unary[static_cast<int>(UnaryLink::stop)]);
  chain_.link_count = static_cast<std::uint16_t>(plan_.links.size() - chain_.first_link);
  chain_.operand_count =
      static_cast<std::uint16_t>(plan_.chain_operands.size() - chain_.first_operand);
  Instruction instruction;
  instruction.chain = static_cast<std::uint16_t>(plan_.chains.size());
  plan_.chains.push_back(chain_);
  plan_.instructions.push_back(instruction);
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
