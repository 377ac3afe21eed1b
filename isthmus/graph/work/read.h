// read.h: an element at a position that is calculated, or where one would stand among the sorted.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Read : OnElements {
  Read(Op op_, TypeId type_) : op(op_), type(type_) {}

  std::string_view name() const { return info(op).name; }
  std::string_view kind() const { return "read by position"; }
  bool reads_anywhere(int operand) const { return operand == 0; }

  Op op;        ///< See reads_by_position().
  TypeId type;  ///< Of the base, its first operand.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
