// scan.h: all elements up to each, along one axis, combined to one.
#pragma once

#include "isthmus/graph/work/combination.h"

namespace isthmus::inline ISTHMUS_ABI::work {

struct Scan : Combination {
  using Combination::Combination;

  std::string_view name() const {
    return function ? std::string_view(function->shown) : scan_name(reduction);
  }
  std::string_view kind() const { return function ? "user's scan" : "scan"; }
  /// It takes in maps before it, and nothing takes it in.
  std::optional<Stop> refusal(const Seat&) const { return Stop::reduction; }
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
