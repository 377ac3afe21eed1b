// combination.h: what reductions and scans have in common: elements along axes are combined.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Combination : OnElements {
  Combination(Reduction reduction_, UserFunctionRef function_, TypeId type_, Axes axes_)
      : axes(std::move(axes_)),
        function(std::move(function_)),
        reduction(reduction_),
        type(type_) {}

  const Axes* along() const { return &axes; }
  const UserFunction* user() const { return function.ref.get(); }

  Axes axes;
  UserFunctionRef function;  ///< A user's combination, in the place of the row.
  Reduction reduction;
  TypeId type;  ///< The operand is cast to that.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
