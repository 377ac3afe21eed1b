// map.h: a row of ops.def or random.def, one element of each operand to one of the result.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Map : OnElements {
  Map() = default;
  Map(Op op_, TypeId type_) : op(op_), type(type_) {}

  std::string_view name() const { return info(op).name; }
  std::string_view kind() const { return is_random(op) ? "random numbers" : "map"; }

  Op op = Op::astype;
  TypeId type = TypeId::float32;  ///< In which it is calculated.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
