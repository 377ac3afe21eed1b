// reduce.h: all elements along some axes combined to one.
#pragma once

#include "isthmus/graph/work/combination.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Reduce : Combination {
  using Combination::Combination;

  std::string_view name() const {
    return function ? std::string_view(function->shown) : info(reduction).name;
  }
  std::string_view kind() const { return function ? "user's reduction" : "reduction"; }
  bool allows_others_beside() const { return !function; }
  /// It takes in maps before and after it.
  std::optional<Stop> refusal(const Seat& seat) const {
    return seat.has_along || seat.is_early ? std::optional(Stop::reduction) : std::nullopt;
  }
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
