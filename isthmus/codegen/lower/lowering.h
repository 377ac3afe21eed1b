// lowering.h: what the lowering of each kind of work is made of.
#pragma once

#include "isthmus/codegen/lower/tape_builder.h"

namespace isthmus::inline ISTHMUS_ABI {

/// The nodes of a group to one program.
class Lowering {
 public:
  Lowering(const Group& group, Lowered& result);
  void run();

 private:
  // The value that a node gives, in its tape: one overload for each kind of work, each in a file of
  // its own.
  std::uint16_t add(const work::Map& work, const Node& node);
  std::uint16_t add(const work::Read& work, const Node& node);
  std::uint16_t add(const work::Store& work, const Node& node);
  std::uint16_t add(const work::Call& work, const Node& node);
  std::uint16_t add(const work::Reduce& work, const Node& node);
  std::uint16_t add(const work::Scan& work, const Node& node);
  std::uint16_t add(const work::Sort& work, const Node& node);
  std::uint16_t add(const work::Concat& work, const Node& node);
  std::uint16_t add(const work::Guard& work, const Node& node);

  /// Of the work along axes: what the program is, and the value that it works on.
  std::uint16_t add_along(KernelShape shape, std::uint16_t value);
  std::uint16_t add_combination(KernelShape shape, const work::Combination& work, const Node& node);

  TapeBuilder& tape_of(const Node& node) {
    return group_.along && !node.is_early ? epilogue_ : map_;
  }
  /// An operand in a tape, as a number of type `scalar_type` if it is one.
  std::uint16_t value_of(TapeBuilder& tape, const Node& node, int operand, TypeId scalar_type);
  /// The same, cast.
  std::uint16_t cast_value_of(TapeBuilder& tape, const Node& node, int operand, TypeId type) {
    return tape.cast(value_of(tape, node, operand, type), type);
  }
  /// The type of a user's value in the program, which learns of the struct if it is one.
  TypeId type_in(const UserFunction& function, DType type);
  /// The same of what a node gives.
  TypeId type_of(const Node& node);
  /// An operand of a user's function, or of a combination by one.
  std::uint16_t users_value_of(TapeBuilder& tape, const Node& node, int operand,
                               const UserFunction& function, DType type);
  void add_output(const Node& node);

  const Group& group_;
  Lowered& result_;
  Program& program_ = result_.program;
  SmallVector<int, 8> axes_;  ///< Of the operand of work along axes: the kept ones first.
  std::optional<std::uint16_t> position_;  ///< Of a store.
  TapeBuilder map_{program_.map, result_.inputs, group_.along ? &axes_ : nullptr,
                   group_.along ? &group_.along->operands[0].seen().shape : group_.shape};
  TapeBuilder epilogue_{program_.epilogue, result_.epilogue_inputs, nullptr, group_.shape};
};

/// A concat, which is no kernel: its parts are its inputs.
void lower_concat(const Node& concat, Lowered& result);
/// Where a part of a concat lies, if the node is one.
void note_concat_of(const Node& part, Lowered& result);

}  // namespace isthmus::inline ISTHMUS_ABI
