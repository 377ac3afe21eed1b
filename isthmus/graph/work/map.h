// map.h: a row of ops.def or random.def, one element of each operand to one of the result.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Map : OnElements {
  Map(Op op_, TypeId type_) : op(op_), type(type_) {}

  std::string_view name() const { return info(op).name; }
  std::string_view kind() const { return is_random(op) ? "random numbers" : "map"; }

  Op op;
  TypeId type;  ///< In which it is calculated.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
