// store.h: elements written at positions that are calculated.
#pragma once

#include "isthmus/core/kernel_shape.h"
#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Store : OnElements {
  Store(TypeId type_, isthmus::Store how_) : type(type_), how(how_) {}

  std::string_view name() const { return info(Op::store).name; }
  std::string_view kind() const { return "write by position"; }
  bool allows_other_outputs() const { return false; }

  TypeId type;         ///< Of the value, its first operand; the second are the positions.
  isthmus::Store how;  ///< What comes of equal positions.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
