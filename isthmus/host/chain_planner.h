// chain_planner.h: turns a run of cheap steps into links of a chain.
#pragma once

#include "isthmus/host/plan.h"

namespace isthmus::inline ISTHMUS_ABI::host {

/// Whether a step can be a link: cheap or a call of a function, and of float32 or float64.
bool is_chainable(const RowTable& rows, const Step& step);

/// The link that calls the function of a step; null if that is cheap.
void (*call_link(const RowTable& rows, const Step& step))();

/// Makes one chain of `steps` (indices into the tape, in its order, all chainable and of one type).
class ChainPlanner {
 public:
  /// `needed` counts all uses of every value of the tape, outputs included.
  ChainPlanner(const RowTable& rows, const Tape& tape, std::span<const std::uint16_t> uses,
               Plan& plan)
      : rows_(rows), tape_(tape), uses_(uses), plan_(plan) {}
  void add(std::span<const std::uint16_t> steps);

 private:
  struct Node {
    std::uint16_t value, x, y;  ///< y is no_value for one operand.
    std::uint16_t inner_uses = 0;
    std::uint16_t user = 0;  ///< The last node that uses it.
    bool is_folded = false;  ///< Calculated inside the link of its user.
  };

  Node* node_of(std::uint16_t value);
  void count_uses();
  void fold_leaves();
  bool is_leaf(const Node& node);
  bool must_store(std::size_t at);
  void emit(std::size_t at);
  void emit_binary(const Node& node, Link link, Link swapped);
  void other_operand(Link link, std::uint16_t value);
  void join_repeated(void (*repeat)());
  void push(void (*function)(), std::uint16_t p = no_value, std::uint16_t q = no_value);
  std::uint16_t operand(std::uint16_t value, bool is_written = false);
  int scalar_bit(std::uint16_t value) const;

  const RowTable& rows_;
  const Tape& tape_;
  std::span<const std::uint16_t> uses_;
  Plan& plan_;
  ChainPlan chain_;
  SmallVector<Node, 16> nodes_;
  std::uint16_t accumulator_ = no_value;  ///< The value in the registers.
  Link open_link_ = Link::div;            ///< The last link, if another can be put to it.
};

}  // namespace isthmus::inline ISTHMUS_ABI::host
