// call.h: a function that a user wrote, one element of each operand to one of the result.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Call : OnElements {
  explicit Call(UserFunctionRef function_) : function(std::move(function_)) {}

  std::string_view name() const { return function->shown; }
  std::string_view kind() const { return "user's function"; }
  bool reads_anywhere(int operand) const {
    return function->parameters[static_cast<std::size_t>(operand)].is_raw;
  }
  const UserFunction* user() const { return function.ref.get(); }

  UserFunctionRef function;
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
