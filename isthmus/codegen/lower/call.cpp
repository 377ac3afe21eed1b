// call.cpp: a user's function to a step.
#include "isthmus/codegen/lower/lowering.h"

namespace isthmus::inline ISTHMUS_ABI {

std::uint16_t Lowering::add(const work::Call& work, const Node& node) {
  TapeBuilder& tape = tape_of(node);
  UserCall call{work.function, {}};
  for (int i = 0; i < node.operand_count; ++i) {
    const DType type = work.function->parameters[static_cast<std::size_t>(i)].type;
    call.operands.push_back(work.reads_anywhere(i)
                                ? tape.base(node.operands[i], type_in(*work.user(), type))
                                : users_value_of(tape, node, i, *work.user(), type));
  }
  const auto number = static_cast<std::uint16_t>(tape.tape.calls.size());
  tape.tape.calls.push_back(std::move(call));
  const TypeId result = type_in(*work.user(), work.function->result);
  return tape.step({Op::user, result, result, {number, 0, 0}});
}

}  // namespace isthmus::inline ISTHMUS_ABI
