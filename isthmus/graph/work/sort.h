// sort.h: the elements along one axis put in order.
#pragma once

#include "isthmus/graph/work/answers.h"

namespace isthmus::inline ISTHMUS_ABI::work {

/// Its first operand is the elements. Where it is partial, the others are numbers: places.
struct Sort : OnElements {
  Sort(Sorting sorting_, const Axes& axis_) : axis(axis_), sorting(sorting_) {}

  std::string_view name() const { return name_of(sorting); }
  std::string_view kind() const { return "sort"; }
  /// It takes in nothing, and nothing takes it in.
  std::optional<Stop> refusal(const Seat&) const { return Stop::reduction; }
  bool reads_anywhere(int) const { return true; }
  const Axes* along() const { return &axis; }

  Axes axis;
  Sorting sorting;
};

}  // namespace isthmus::inline ISTHMUS_ABI::work
