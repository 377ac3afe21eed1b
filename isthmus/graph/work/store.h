// store.h: elements written at positions that are calculated.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Store : OnElements {
  Store(TypeId type_, bool is_unique_) : type(type_), is_unique(is_unique_) {}

  std::string_view name() const { return info(Op::store).name; }
  std::string_view kind() const { return "write by position"; }
  bool allows_other_outputs() const { return false; }

  TypeId type;     ///< Of the value, its first operand; the second are the positions.
  bool is_unique;  ///< No two positions are equal.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
