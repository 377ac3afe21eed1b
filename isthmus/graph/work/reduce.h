// reduce.h: all elements along some axes combined to one.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Reduce : OnElements {
  Reduce(Reduction reduction_, UserFunctionRef function_, TypeId type_, const Axes& axes_)
      : axes(axes_), function(std::move(function_)), reduction(reduction_), type(type_) {}

  std::string_view name() const {
    return function ? std::string_view(function->shown) : info(reduction).name;
  }
  std::string_view kind() const { return function ? "user's reduction" : "reduction"; }
  /// It takes in maps before and after it.
  std::optional<Stop> refusal(const Seat& seat) const {
    return seat.has_along || seat.is_early ? std::optional(Stop::reduction) : std::nullopt;
  }
  const Axes* along() const { return &axes; }
  const UserFunction* user() const { return function.ref.get(); }

  Axes axes;
  UserFunctionRef function;  ///< A user's combination, in the place of the row.
  Reduction reduction;
  TypeId type;  ///< Its operand is cast to that.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
