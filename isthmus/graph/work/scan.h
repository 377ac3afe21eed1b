// scan.h: all elements up to each, along one axis, combined to one.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Scan : OnElements {
  Scan(Reduction reduction_, UserFunctionRef function_, TypeId type_, const Axes& axis_)
      : axis(axis_), function(std::move(function_)), reduction(reduction_), type(type_) {}

  std::string_view name() const {
    return function ? std::string_view(function->shown) : scan_name(reduction);
  }
  std::string_view kind() const { return function ? "user's scan" : "scan"; }
  /// It takes in maps before it, and nothing takes it in.
  std::optional<Stop> refusal(const Seat&) const { return Stop::reduction; }
  const Axes* along() const { return &axis; }
  const UserFunction* user() const { return function.ref.get(); }

  Axes axis;
  UserFunctionRef function;  ///< A user's combination, in the place of the row.
  Reduction reduction;
  TypeId type;  ///< Its operand is cast to that.
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
